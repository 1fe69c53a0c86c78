"""A battery by its open-circuit voltage and its internal resistance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from blocks.basic.common import ModeBlock, check_increasing
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import whole
from blocks.model.derived import Crossing
from blocks.signal import Current, Number, Power, Powers, Voltage

_LOADED = whole("power", "state_of_charge", "cut_off", "full", "charge", "open_circuit_voltage", "internal_resistance")


class Battery(ModeBlock):
    """A battery that supplies a given power, by its open-circuit voltage over charge and its internal resistance.

    U = E(s) - R i,  U i = P,  P = Σ P_i,  ds/dt = -i/Q for i ≥ 0, -η_c i/Q for i < 0
    i = (E - √(E² - 4 R P))/(2R) for P ≤ E²/(4R), else E/(2R)

    P_i: `power`, what n consumers want, W, n; s: `state_of_charge`, 0 to 1; E: `open_circuit_voltage` at `charge`, V
    and 1, m points, linear in between; one voltage is an E that does not depend on charge; R: `internal_resistance`, Ω;
    Q: `capacity`, C ("20 A*h"); η_c: `charge_efficiency`; U: `voltage` at the terminals, V; i: `current`, A;
    `supplied`: U i, W; `empty`: 1 while the battery is cut off, else 0.

    **Signs.** P_i > 0 is consumed and i > 0 discharges; P < 0 is regenerated, i < 0 charges. A full battery, s = 1,
    takes none of it; with fixed steps s may pass 1 by what the last step brought.

    **Limits.** More than E²/(4R) cannot be drawn from the terminals: the battery then gives that much, and `supplied`
    falls short of P. The root taken is the one with the smaller current, computed so that R = 0 is no special case.

    **Cut-off.** At s ≤ `cut_off_charge`, or where U would fall below `cut_off_voltage`, the battery is disconnected:
    it supplies nothing but can be charged. It comes back at s ≥ `restart_charge`, so that its voltage, which recovers
    without load, does not switch it to and fro. Both are events. `simulate(…, stop="battery.empty")` ends the run
    there.

    Raises ParameterError if charges are not within 0 and 1 or do not increase, if `restart_charge` is below
    `cut_off_charge`, if `cut_off_voltage` is never reached even without load, and for values out of range.

    Source: Tremblay and Dessaint (2009), Experimental validation of a battery dynamic model for EV applications, World
    Electric Vehicle Journal 3 (voltage source and resistance; their E(s) is a formula, here it is a table); Plett
    (2015), Battery Management Systems, vol. I, ch. 2 (charge, efficiency).
    """

    examples = (
        {
            "capacity": 40.0,
            "charge": [0.0, 0.4, 1.0],
            "open_circuit_voltage": [3.0, 3.7, 4.2],
            "internal_resistance": 0.2,
            "charge_efficiency": 0.9,
            "cut_off_charge": 0.1,
            "cut_off_voltage": 2.8,
            "restart_charge": 0.3,
        },
    )

    kernel = "battery"
    sizes: ClassVar[tuple[str, ...]] = ("n", "m")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}

    power = Input(Powers, "P_i, wanted; positive where consumed, negative where regenerated")

    voltage = Output(Voltage, "U at the terminals", depends=_LOADED, nominal=10.0)
    current = Output(Current, "i, positive where it discharges", depends=_LOADED, nominal=10.0)
    supplied = Output(Power, "U i, what the battery gives", depends=_LOADED, nominal=100.0)
    state_of_charge = Output(Number, "s", state="state_of_charge")
    empty = Output(Number, "1 while cut off, else 0", feedthrough=False, depends=whole("cut_off"))

    capacity = Parameter(unit="C", above=0.0, doc='Q, from full to empty; "20 A*h"')
    charge = Parameter((0.0, 1.0), shape=("m",), doc="increasing states of charge, for the voltage")
    open_circuit_voltage = Parameter(shape=("m",), unit="V", above=0.0, doc="E at these")
    internal_resistance = Parameter(0.0, unit="ohm", at_least=0.0, doc="R")
    charge_efficiency = Parameter(1.0, above=0.0, at_most=1.0, doc="η_c, part of the charge that stays")
    cut_off_charge = Parameter(0.0, at_least=0.0, below=1.0, doc="s at which the battery is disconnected")
    cut_off_voltage = Parameter(0.0, unit="V", at_least=0.0, doc="U below which the battery is disconnected")
    restart_charge = Parameter(0.05, at_least=0.0, at_most=1.0, doc="s from which on it is connected again")

    charge_state = State(
        Number,
        "s",
        initial=1.0,
        depends=_LOADED | whole("capacity", "charge_efficiency"),
        name="state_of_charge",
    )
    cut_off = State(
        Number,
        "1 while cut off",
        discrete=True,
        private=True,
        name="cut_off",
        depends=whole(
            "power", "state_of_charge", "cut_off", "charge", "open_circuit_voltage", "internal_resistance",
            "cut_off_charge", "cut_off_voltage", "restart_charge",
        ),
    )  # fmt: skip

    full = State(
        Number,
        "1 while full and charged on",
        discrete=True,
        private=True,
        depends=whole("power", "state_of_charge"),
    )

    cutting = Crossing("0 where the battery is to be cut off, or connected again")
    filling = Crossing("0 where it is to be full, or no longer")

    def validate(self) -> None:
        """Charges between empty and full, and a cut-off below the restart."""
        check_increasing(self, "charge", at_least=2)
        for name in ("charge", "initial_state_of_charge"):
            values = np.atleast_1d(np.asarray(self.values[name], dtype=np.float64))
            for value in values[(values < 0.0) | (values > 1.0)]:
                raise ParameterError(f"{self._called()}.{name} must be within 0 (empty) and 1 (full), not {value:g}")
        if self.restart_charge < self.cut_off_charge:
            raise ParameterError(
                f"{self._called()}.restart_charge must not be below cut_off_charge: {self.restart_charge:g} is below "
                f"{self.cut_off_charge:g}; give both"
            )
        highest = float(np.max(self.open_circuit_voltage))
        if self.cut_off_voltage >= highest:
            raise ParameterError(
                f"{self._called()}.cut_off_voltage must be below the open-circuit voltage of the full battery, "
                f"{highest:g} V, or it is always cut off, not {self.cut_off_voltage:g}"
            )
