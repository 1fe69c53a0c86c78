"""Compose a diagram, run it, swap the vessel for one of higher fidelity, and take the whole away as an FMU."""

import fmu
from blocks import Diagram, simulate
from blocks.control import PID, ComposeWrench
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.environment import UniformCurrent
from blocks.guidance import IntegralLineOfSight

# Compose: blocks have ports, and a wire leads from an output to one input or several.
rov = Diagram("rov", title="An ROV follows a path in a current")
path = [[0, 0, 0], [40, 0, 0], [40, 30, 0]]  # north, east, down in m
guidance = IntegralLineOfSight(waypoints=path, acceptance_radius=2, cruise_speed="1 kn", integral_gain=0.05)
rov.add("guidance", guidance)
speed = rov.add("speed", PID(kp=200, ki=40, derivative="none"))
heading = rov.add("heading", PID(kp=100, ki=5, kd=200, derivative="rate", angle=True, lower=-40, upper=40))
wrench = rov.add("wrench", ComposeWrench())
current = rov.add("current", UniformCurrent(speed="0.1 m/s", direction="90 deg"))
vessel = rov.add("vessel", Vessel3DOF.diagonal(m=(753, 762, 107), d=(175, 333, 45)))
rov.connect(guidance.speed, speed.reference)
rov.connect(guidance.heading, heading.reference)
rov.connect(speed.output, wrench.X)
rov.connect(heading.output, wrench.N)
rov.connect(wrench.force, vessel.force)
rov.connect(current.current, vessel.current)
rov.connect(vessel.eta, guidance.eta)
rov.connect(vessel.nu, guidance.nu)
rov.connect(vessel.nu["u"], speed.measurement)
rov.connect(vessel.eta["psi"], heading.measurement)
rov.connect(vessel.nu["r"], heading.rate)

# Run until the last waypoint is reached, swap the vessel for one in six degrees of freedom, and run again.
simple = simulate(rov, end="10 min", step=0.05, stop="guidance.finished")
detailed = rov.replace("vessel", Vessel6DOF.from_vehicle("minerva"))
full = simulate(rov, end="10 min", step=0.05, stop="guidance.finished")
for name, result in (("3 DOF", simple), ("6 DOF", full)):
    error = result["guidance.cross_track_error"]  # an xarray.DataArray with its unit
    rms = float((error**2).mean() ** 0.5)
    print(f"{name}: arrived after {result.time[-1]:.1f} s, cross-track error {rms:.2f} m RMS")
full.save("rov.nc")

# Export an FMU of all of it, for co-simulation and model exchange. It needs no Python where it runs.
rov.outputs(eta=detailed.eta, cross_track_error=guidance.cross_track_error)
fmu.export(rov, "rov.fmu", step=0.05)
fmu.export(rov, "rov3.fmu", step=0.05, fmi="3.0")
