"""Which blocks are compared, with which parameters and inputs: every block of the library as the tests have it.

The `examples` of the classes are the instances; where one kernel serves several of them, each is a variant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.kernels.case import EACH_SCALE, Case, Floats
from blocks.block import library
from blocks.vehicles.vehicle import read_section


def coupled(*diagonal: float) -> Floats:
    """A symmetric matrix with this diagonal and no zeros: everything has an influence on everything."""
    share = np.sin(np.add.outer(np.arange(len(diagonal)), np.arange(len(diagonal))) + 1.0)
    np.fill_diagonal(share, 10.0)
    root = np.sqrt(np.abs(diagonal))
    matrix: Floats = 0.1 * share * np.outer(root, root) * np.sign(diagonal[0])
    return matrix


COUPLED_VESSEL = {
    "rigid_body_inertia": coupled(20.0, 20.0, 20.0, 3.0, 4.0, 5.0),
    "added_mass": coupled(5.0, 15.0, 20.0, 1.0, 2.0, 3.0),
    "linear_damping": coupled(10.0, 20.0, 30.0, 4.0, 5.0, 6.0),
    "quadratic_damping": coupled(20.0, 60.0, 80.0, 8.0, 9.0, 10.0),
    "centre_of_gravity": [0.02, -0.01, 0.05],
    "centre_of_buoyancy": [0.01, 0.03, -0.02],
}

MEMORY = {
    "memory_frequencies": np.linspace(2.0, 6.0, 14),
    "memory_damping": np.diag(np.linspace(3.0, 6.0, 14)) + 0.1 * np.sin(np.add.outer(np.arange(14.0), np.arange(14.0))),
    "memory_coupling": np.cos(np.arange(84.0)).reshape(14, 6),
}
"""As many oscillators as a ship has."""

TUG = {
    "positions": [[-0.42, -0.08, 0.1], [-0.35, 0.09, -0.05], [0.28, 0.0, 0.15]],
    "thrust_coefficient": [[0.01, 0.2, 0.05], [0.01, 0.2, 0.05], [3.5, 0.1, 0.3]],
    "speed_limit_forward": [6.0, 6.0, 1.0],
    "speed_limit_reverse": [5.0, 5.0, 1.0],
    "angle_min": [-2.3, -2.3, 1.57],
    "angle_max": [2.3, 2.3, 1.57],
    "weights": [1.0, 1.2, 2.0],
}
"""Two azimuth thrusters aft and a tunnel thruster in the bow, all on axes of their own: allocation leaves no choice,
which would be made by the last digits."""

MINERVA = read_section(library()["thrust.ThrustAllocation"], "minerva")[0]
"""Five propellers in four directions."""

SEA = {"significant_height": 0.5, "peak_period": 3.0, "frequencies": 15, "directions": 5, "depth": 5.0}
BOAT = {"length": 2.0, "breadth": 0.8, "areas": [0.2, 0.5, 1.4], "centre": [0.2, 0.1, -0.1], "pressure_depth": 0.1}

RECEIVER = {"origin_latitude": 0.9, "origin_longitude": 0.08, "lever_arm": [0.5, 0.2, -1.0], "period": 0.2}

FORCES = {
    "frequencies": np.linspace(1.5, 6.0, 20),
    "headings": np.linspace(-3.0, 3.0, 24),
    "amplitude": 1.1 + np.cos(np.arange(2880.0)).reshape(6, 20, 24),
    "phase": np.sin(np.arange(2880.0)).reshape(6, 20, 24),
    "mean_drift": np.sin(0.1 * np.arange(1440.0)).reshape(3, 20, 24),
}
OBLIQUE = np.sin(np.linspace(0.0, np.pi, 13)) > 1e-6
HALF_TURN = {
    "headings": np.linspace(0.0, np.pi, 13),
    "amplitude": FORCES["amplitude"][:, :, :13] * np.array([[np.ones(13)], [OBLIQUE]] * 3),
    "phase": FORCES["phase"][:, :, :13],
    "mean_drift": FORCES["mean_drift"][:, :, :13] * np.array([[np.ones(13)], [OBLIQUE], [OBLIQUE]]),
}

MOTIONS = {name: FORCES[name] for name in ("frequencies", "headings", "amplitude", "phase")}
SHIP = {"length": 30.0, "breadth": 8.0, "draught": 2.0, "block_coefficient": 0.7, "roll_period": 6.0}
STORM = {
    "times": [0.0, 2.0, 5.0],
    "significant_height": [0.5, 1.5, 1.0],
    "peak_period": [3.0, 5.0, 4.0],
    "direction": [0.7, 0.9, 1.4],
    "depth": 8.0,
}

CURRENTS: dict[str, Any] = {
    "x": np.linspace(-50.0, 50.0, 60),
    "y": np.linspace(-40.0, 60.0, 40),
    "times": np.linspace(-10.0, 20.0, 5),
    "depths": np.linspace(-2.0, 2.0, 4),
    "north": np.sin(np.arange(48_000.0)).reshape(5, 4, 60, 40),
    "east": np.cos(np.arange(48_000.0)).reshape(5, 4, 60, 40),
    "outside": "fill",
    "fill": [0.1, -0.2],
}
HULL = {"draught": 3.0, "breadth": 12.0, "sway_coefficient": 0.9, "heave_coefficient": 1.3, "middle": 2.0}
WINDS = {name: value for name, value in CURRENTS.items() if name != "depths"}
SPECTRA = ("norsok", "davenport", "harris")

TYPICAL: dict[str, list[dict[str, Any]]] = {
    "dynamics.CrossFlowDrag": [HULL | {"length": 80.0}, HULL | {"length": 80.0, "draught": np.linspace(2.0, 4.0, 20)}],
    "environment.CurrentField": [
        CURRENTS,
        CURRENTS | {"depths": [0.0], "north": CURRENTS["north"][:, :1], "east": CURRENTS["east"][:, :1]},
        CURRENTS
        | {"depths": [0.0], "times": [0.0], "north": CURRENTS["north"][:1, :1], "east": CURRENTS["east"][:1, :1]},
    ],
    "environment.BoxShipMotion": [SHIP],
    "environment.EvolvingSea": [STORM, STORM | {"peak_enhancement": "dnv", "spreading": 4.0}],
    "environment.GustingWind": [{"speed": 12.0, "direction": 0.7, "spectrum": s} for s in SPECTRA],
    "environment.WindField": [
        WINDS | {"north": CURRENTS["north"][:, 0], "east": CURRENTS["east"][:, 0]},
        WINDS | {"times": [0.0], "north": CURRENTS["north"][:1, 0], "east": CURRENTS["east"][:1, 0]},
    ],
    "environment.MotionRAO": [
        MOTIONS,
        MOTIONS | {name: HALF_TURN[name] for name in ("headings", "amplitude", "phase")},
    ],
    "environment.WaveForceRAO": [FORCES, FORCES | HALF_TURN, FORCES | {"mean_drift": 0.0}],
    "environment.WaveGauges": [{"positions": 3.0 * np.sin(np.arange(20.0)).reshape(10, 2)}],
    "environment.WaveLoad": [BOAT, BOAT | {"yaw_moment": "corners"}],
    "sensors.Gnss": [
        RECEIVER
        | {"horizontal_noise": 1.5, "vertical_noise": 2.5, "velocity_noise": 0.05}
        | {"horizontal_drift": 0.5, "vertical_drift": 0.8},
        RECEIVER | {"ellipsoid": "sphere", "delay": 1},
    ],
    "thrust.AzimuthAllocation": [
        TUG,
        TUG | {"angle_min": [2.0, 1.8, 1.57], "angle_max": [3.0, 2.9, 1.57], "speed_limit_reverse": 0.0},
        TUG | {"limits": "bounded", "angle_max": [0.9, 0.4, 1.57], "speed_limit_forward": [1.5, 0.1, 0.1]},
    ],
    "thrust.ThrustAllocation": [
        MINERVA | {"weights": [1.0, 2.0, 2.0, 1.5, 1.0]},
        MINERVA
        | {
            "limits": "bounded",
            "advance_speed": "pseudo_inverse",
            "speed_limit_forward": 10.0,
            "speed_limit_reverse": 8.0,
        },
    ],
}
"""Parameters in place of those of the examples, where these are smaller than in use."""

MORE: dict[str, dict[str, Any]] = {
    "dynamics.ComplexVessel6DOF": COUPLED_VESSEL
    | {"damping_matrices": [coupled(*(0.5 + 0.1 * i) * np.arange(8.0, 2.0, -1.0)) for i in range(6)]},
    "dynamics.DiagonalVessel3DOF": {"linear_damping": [10.0, 20.0, 4.0]},
    "dynamics.FloatingVehicle": {"linear_damping": coupled(10.0, 20.0, 30.0, 4.0, 5.0, 6.0)},
    "dynamics.SeakeepingVessel": COUPLED_VESSEL | MEMORY,
    "dynamics.Vessel3DOF": {
        "centre_of_gravity": [0.2, -0.1],
        "added_mass": coupled(5.0, 15.0, 2.0),
        "linear_damping": coupled(10.0, 20.0, 4.0),
        "nonlinear_damping": [3.0, 1.0, 8.0, 2.0, 1.0, 0.5, 1.5, 1.0, 0.8, 2.0],
    },
    "dynamics.Vessel6DOF": COUPLED_VESSEL,
    "thrust.AirFan": {"full_speed": 40.0},
    "thrust.PropellerThrusters": MINERVA
    | {"wake_fraction": [0.0, 0.1, 0.1, 0.2, 0.2], "initial_speed": [10.0, -6.0, 0.1, 15.0, -2.0]},
    "thrust.Tether": {
        "segments": 20,
        "profile_depths": np.linspace(-0.5, 2.0, 8),
        "profile_factors": np.linspace(1.2, 0.3, 8),
    },
}
"""Parameters that every example gets besides its own, where these leave terms out or are smaller than in use."""

WAVES = library()["environment.JonswapSea"](**SEA, direction=0.7, spreading=2.0, seed=7).evaluate().outputs["waves"]
"""75 components, the short ones in deep water."""

THROUGH_WATER = [0.8, 0.1, -0.15, 0.02, -0.03, 0.2]

INPUTS: dict[str, dict[str, Any]] = {
    "environment.BoxShipMotion": {"waves": WAVES},
    "environment.MotionRAO": {"waves": WAVES},
    "environment.SeaSurface": {"waves": WAVES},
    "environment.WaveForceRAO": {"waves": WAVES},
    "environment.WaveGauges": {"waves": WAVES},
    "environment.WaveLoad": {"waves": WAVES},
    "thrust.MMGPropulsion": {"nu_r": THROUGH_WATER},
    "thrust.PropellerThrusters": {"nu_r": THROUGH_WATER},
    "thrust.PolynomialRudder": {"nu_r": THROUGH_WATER},
    "thrust.PropellerRudder": {"nu_r": THROUGH_WATER},
    "thrust.Rudder": {"thrust": 2.0},
    "thrust.ThrustAllocation": {"nu_r": THROUGH_WATER},
}
"""Inputs of the instant that is timed; others are sines of order one."""

SCALES: dict[str, tuple[float, ...]] = {
    "sensors.Gnss": (100.0, -100.0, 3e3, -3e3, 2e4, -2e4),
    "thrust.MMGPropulsion": (6.0, -6.0, 1.0, -1.0, 15.0, -15.0),
    "thrust.PropellerThrusters": (15.0, -15.0, 3.0, -3.0, 30.0, -30.0),
    "thrust.ThrustAllocation": (30.0, -30.0, 5.0, -5.0, 150.0, -150.0),
}
"""What inputs that are not given are multiplied by, from point to point of the comparison."""


def all_cases() -> list[Case]:
    """A case per block and example, of blocks without plain C too."""
    cases = []
    for name, cls in library().items():
        if cls.__module__.partition(".")[0] != "blocks":
            continue
        chosen: Sequence[Mapping[str, Any]] = TYPICAL.get(name) or cls.examples or ({},)
        for parameters, variant in zip(chosen, _variants(chosen), strict=True):
            whole = {**parameters, **MORE.get(name, {})}
            cases.append(Case(name, whole, variant, INPUTS.get(name, {}), SCALES.get(name, EACH_SCALE)))
    return cases


def _variants(samples: Sequence[Mapping[str, Any]]) -> list[str]:
    """What tells each sample of a block from its first: choices if they do, and if not names of parameters too."""
    first = samples[0]
    names = [""]
    for number, sample in enumerate(samples[1:], start=2):
        other = [key for key in sample if key not in first or sample[key] is not first[key]]
        choices = [f"{key}={sample[key]}" for key in other if isinstance(sample[key], str | bool)]
        numbers = [key for key in other if not isinstance(sample[key], str | bool)]
        short, long = ", ".join(choices), ", ".join([*choices, *numbers])
        names.append(next(name for name in (short, long, str(number)) if name not in names))
    return names
