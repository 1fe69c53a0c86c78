"""The meter of power and energy."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.declare import Input, Output, State
from blocks.model.dependence import whole
from blocks.signal import Energy, Power, Powers


class EnergyMeter(Block):
    """Adds up the powers of n consumers and integrates them.

    Definition: P = Σ P_i,  dE/dt = P

    P_i: `power`, W, n; P: `total_power`, W; E: `energy`, J, from `initial_energy` on. Power that is consumed counts
    positive. Negative powers, of a propeller that the water drives, say, make E smaller: put a Saturation between to
    count consumption only. Powers from several blocks come to the one port through a `Mux`.
    """

    kernel = "energy_meter"
    sizes = ("n",)

    power = Input(Powers, "powers P_i, positive where consumed")

    total_power = Output(Power, "P", depends=whole("power"), nominal=100.0)
    energy = Output(Energy, "E", state="energy", nominal=1000.0)

    energy_state = State(Energy, "E", name="energy", depends=whole("power"), nominal=1000.0)
