"""Run an exported FMU elsewhere: here in FMPy, with an input over time and another parameter."""

import fmpy
import numpy as np

import fmu
from blocks import Diagram
from blocks.dynamics import Vessel6DOF
from blocks.thrust import PropellerThrusters

plant = Diagram("plant", title="ROV Minerva: thrusters and vessel")
thrusters = plant.add("thrusters", PropellerThrusters.from_vehicle("minerva"))
vessel = plant.add("vessel", Vessel6DOF.from_vehicle("minerva"))
plant.connect(thrusters.force, vessel.force)
plant.connect(vessel.nu_r, thrusters.nu_r)
plant.inputs(command=thrusters.command)
plant.outputs(eta=vessel.eta, nu=vessel.nu, power=thrusters.power)
path = fmu.export(plant, "plant.fmu", step=0.02, end=60)

# Both main thrusters, the last two of five, go to 10 rev/s within ten seconds.
columns = [("time", float)] + [(f"command[{i}]", float) for i in range(1, 6)]
ramp = np.array([(0, 0, 0, 0, 0, 0), (10, 0, 0, 0, 10, 10)], dtype=columns)
for density in (1000.0, 1025.0):
    run = fmpy.simulate_fmu(
        str(path), stop_time=60, output_interval=0.1, input=ramp, start_values={"thrusters.density": density}
    )
    print(f"water of {density:.0f} kg/m³: u = {run['nu[1]'][-1]:.3f} m/s after {run['eta[1]'][-1]:.1f} m")
