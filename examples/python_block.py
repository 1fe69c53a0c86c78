"""A block of your own in plain Python: a tether that pulls a vehicle back as soon as it is taut."""

import numpy as np

from blocks import Diagram, Input, Output, Parameter, PythonBlock, simulate
from blocks.basic import Constant
from blocks.control import ComposeWrench
from blocks.dynamics import Vessel6DOF
from blocks.signal import Length, Pose, Wrench


class Tether(PythonBlock):
    """A weightless tether from an anchor to the body origin: F = -k max(0, |p - a| - L) (p - a)/|p - a|.

    p: position of `eta`, m; a: `anchor`, m; L: `length`, m; k: `stiffness`, N/m. F is turned into body axes by the
    heading alone, which suits a vehicle that hardly rolls and pitches.
    """

    uses_time = False

    eta = Input(Pose, "position and attitude of the vehicle")
    force = Output(Wrench, "pull of the tether on the vehicle")
    stretch = Output(Length, "by how much the tether is longer than at rest")
    anchor = Parameter((0.0, 0.0, 0.0), shape=(3,), unit="m", frame="ned", doc="where the tether is fixed")
    length = Parameter(unit="m", above=0.0, doc="length at rest")
    stiffness = Parameter(100.0, unit="N/m", above=0.0, doc="pull per stretch")

    def outputs(self, t, states, inputs):
        """The pull, and by how much the tether is stretched."""
        x, y, z, _, _, psi = inputs["eta"]
        away = np.array([x, y, z]) - self.anchor
        distance = float(np.linalg.norm(away))
        stretch = max(0.0, distance - self.length)
        north, east, down = -self.stiffness * stretch * away / distance if stretch > 0.0 else np.zeros(3)
        forward = north * np.cos(psi) + east * np.sin(psi)
        starboard = east * np.cos(psi) - north * np.sin(psi)
        return {"force": [forward, starboard, down, 0.0, 0.0, 0.0], "stretch": stretch}


tether = Tether(length="20 m")
taut = tether.evaluate(eta=[21.0, 0.0, 0.0, 0.0, 0.0, 0.0]).outputs  # one block by itself, without a diagram
print(f"21 m away: stretched by {taut['stretch']:.1f} m, surge force {taut['force'][0]:.0f} N")

diagram = Diagram("tethered")
thrust = diagram.add("thrust", Constant(50.0))
wrench = diagram.add("wrench", ComposeWrench())
vessel = diagram.add("vessel", Vessel6DOF.from_vehicle("minerva"))
diagram.add("tether", tether)
diagram.connect(thrust.y, wrench.X)
diagram.connect(wrench.force, vessel.force)
diagram.connect(vessel.eta, tether.eta)
diagram.connect(tether.force, vessel.disturbance)

result = simulate(diagram, end="3 min", solver="dopri5", step=0.1)
print(f"furthest: {result.values('vessel.eta[x]').max():.2f} m, at the end: {result.values('vessel.eta[x]')[-1]:.2f} m")
