"""A float that heaves in waves and makes waves itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from blocks import Block, Input, Output, Parameter, State
from blocks.model.file_origin import file_constructor, with_table
from blocks.signal import Force, Length, Signal, Speed
from wave_energy.hydrodynamics import read_hydrodynamics
from wave_energy.radiation import fit_radiation

_Memory = Signal("Radiation states", ("n",), "m/s")


class HeavingFloat(Block):
    """A float free to heave, with the memory of the waves that it has made: Cummins' equation, linear.

    (m + A_∞) dw/dt + F_r + k z = F_e + F_m + F_s,  dz/dt = w
    F_r(t) = ∫ K(t - τ) w(τ) dτ, as states: dr_i/dt = Ω r_(i+1),  dr_n/dt = Ω (w - Σ q_i r_i),  F_r = B_0 Σ p_i r_i

    z: `position`, heave from rest, positive **up**, m; w: `velocity`, m/s; m: `mass`, kg; A_∞: `added_mass` at infinite
    frequency, kg; k: `stiffness` of the water plane, ρ g times its area, N/m; F_e: `excitation` by the sea, F_m:
    `machinery`, F_s: `stops`, forces on the float, positive up, N; F_r: `radiation`, N; r: `memory`, n, m/s; q:
    `denominator`, p: `numerator`, n each, of the transfer function from w to F_r, B_0 Σ p_i σ^(i-1)/(σ^n + Σ q_i
    σ^(i-1)) with σ = s/Ω; Ω: `rate`, rad/s; B_0: `radiation_scale`, N·s/m. With p_1 = 0 a steady velocity makes no
    waves.

    `from_file` fits p and q of the `order` n to a table of added mass and damping: see `fit_radiation`.

    The theory is that of small motions: the water plane is constant, and the waves are low. At resonance a float
    without machinery moves more than that.

    Raises ParameterError if a mass or the stiffness is out of range.

    Source: Cummins (1962), The impulse response function and ship motions, Schiffstechnik 9; Perez and Fossen (2009), A
    Matlab toolbox for parametric identification of radiation-force models of ships and offshore structures, Modeling,
    Identification and Control 30(1) (the states); Falnes (2002), Ocean Waves and Oscillating Systems, ch. 5.
    """

    examples = (
        {
            "mass": 261800.0,
            "added_mass": 130900.0,
            "stiffness": 770475.0,
            "denominator": [0.6, 1.4],
            "numerator": [0.0, 0.9],
            "rate": 1.0,
            "radiation_scale": 1.2e5,
        },
    )

    kernel = "heaving_float"
    sizes = ("n",)

    excitation = Input(Force, "F_e of the sea, positive up")
    machinery = Input(Force, "F_m of the power take-off, positive up", default=0.0)
    stops = Input(Force, "F_s of end stops, and any other, positive up", default=0.0)

    position = Output(Length, "z, positive up", state="position")
    velocity = Output(Speed, "w, positive up", state="velocity")
    radiation = Output(Force, "F_r, which the waves made before take from the motion", feedthrough=False, nominal=1e5)

    mass = Parameter(unit="kg", above=0.0, doc="m")
    added_mass = Parameter(unit="kg", at_least=0.0, doc="A_∞, at infinite frequency")
    stiffness = Parameter(unit="N/m", above=0.0, doc="k, ρ g times the area of the water plane")
    denominator = Parameter(shape=("n",), doc="q of the radiation's transfer function, lowest power first")
    numerator = Parameter(shape=("n",), doc="p of the radiation's transfer function, lowest power first")
    rate = Parameter(unit="rad/s", above=0.0, doc="Ω that the transfer function is scaled by")
    radiation_scale = Parameter(unit="N*s/m", above=0.0, doc="B_0 that the transfer function is scaled by")

    position_state = State(Length, "z", name="position")
    velocity_state = State(Speed, "w", name="velocity")
    memory = State(_Memory, "r", private=True)

    @classmethod
    @file_constructor
    def from_file(cls, path: str | Path, *, order: int = 5, **parameters: Any) -> HeavingFloat:
        """The block with the radiation of a table of hydrodynamic coefficients, see `read_hydrodynamics`."""
        table = read_hydrodynamics(path)
        fit = fit_radiation(table, order)
        read = {
            "added_mass": table.infinite_added_mass,
            "denominator": fit.denominator,
            "numerator": fit.numerator,
            "rate": fit.rate,
            "radiation_scale": fit.scale,
        }
        return with_table(cls, path, read, parameters)
