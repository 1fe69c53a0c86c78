"""Which blocks are measured, with which parameters and inputs: every block of the library as its examples have it.

The `examples` of each class are the instances; where one kernel serves several of them, each is a variant.
"""

from __future__ import annotations

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

BATTERY = {
    "capacity": 72e3,
    "charge": np.linspace(0.0, 1.0, 11),
    "open_circuit_voltage": np.linspace(12.0, 16.4, 11) + 0.4 * np.sin(np.arange(11.0)),
    "internal_resistance": 0.1,
    "charge_efficiency": 0.95,
    "cut_off_charge": 0.1,
    "cut_off_voltage": 11.0,
    "restart_charge": 0.3,
    "initial_state_of_charge": 0.6,
}

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

SEA = {"frequencies": 15, "directions": 5, "direction": 0.7, "spreading": 2.0, "seed": 7, "depth": 5.0}
LOW_SEA = SEA | {"significant_height": 0.5}
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
WINDS = {name: value for name, value in CURRENTS.items() if name != "depths"}
SPECTRA = ("norsok", "davenport", "harris")

TYPICAL: dict[str, list[dict[str, Any]]] = {
    "basic.StateSpace": [
        {"A": coupled(-1.0, -0.8, -0.6, -0.4), "B": np.ones((4, 2)), "C": np.eye(2, 4), "D": np.full((2, 2), 0.1)},
        {"A": coupled(-1.0, -0.8, -0.6, -0.4), "B": np.ones((4, 2)), "C": np.eye(2, 4)},
    ],
    "basic.TransferFunction": [
        {"numerator": [1.0, 2.0], "denominator": [2.0, 1.5, 1.0, 0.3]},
        {"numerator": [2.0, 1.0, 0.5, 0.2], "denominator": [2.0, 1.5, 1.0, 0.3]},
    ],
    "environment.BretschneiderSea": [
        LOW_SEA | {"period": 3.0},
        LOW_SEA | {"period": 2.4, "period_kind": "mean", "bands": "equal-step", "placement": "middle"},
        LOW_SEA
        | {"period": 2.2, "period_kind": "zero-crossing", "bands": "equal-step", "frequencies": 50, "directions": 1},
    ],
    "environment.JonswapSea": [
        LOW_SEA | {"peak_period": 3.0, "placement": "middle"},
        LOW_SEA | {"peak_period": 3.0, "bands": "equal-step", "spreading": 0.0},
        LOW_SEA | {"peak_period": 3.0, "spreading": 50.0, "peakedness": 7.0, "upper_limit": 3.0},
    ],
    "environment.PiersonMoskowitzSea": [SEA | {"wind_speed": 5.0}, {"wind_speed": 9.0, "gravity": 9.82}],
    "environment.TabulatedSea": [
        SEA | {"table_frequencies": [0.1, 0.3, 0.4, 0.7, 0.9], "densities": [0.02, 0.3, 0.2, 0.0, 0.05]},
        SEA
        | {
            "table_frequencies": np.linspace(0.1, 1.0, 30),
            "densities": 1.1 + np.cos(np.arange(30.0)),
            "bands": "equal-step",
            "placement": "middle",
        },
    ],
    "environment.TorsethaugenSea": [
        SEA | {"significant_height": 3.0, "peak_period": 6.0},
        SEA | {"significant_height": 2.0, "peak_period": 12.0},
        SEA | {"significant_height": 2.0, "peak_period": 3.0, "bands": "equal-step"},
        SEA | {"significant_height": 2.0, "peak_period": 8.4},
        SEA | {"significant_height": 0.3, "peak_period": 24.0},
    ],
    "environment.CurrentField": [
        CURRENTS,
        CURRENTS | {"depths": [0.0], "north": CURRENTS["north"][:, :1], "east": CURRENTS["east"][:, :1]},
        CURRENTS
        | {"depths": [0.0], "times": [0.0], "north": CURRENTS["north"][:1, :1], "east": CURRENTS["east"][:1, :1]},
    ],
    "environment.GustingWind": [{"speed": 12.0, "direction": 0.7, "spectrum": s} for s in SPECTRA],
    "environment.WindField": [
        WINDS | {"north": CURRENTS["north"][:, 0], "east": CURRENTS["east"][:, 0]},
        WINDS | {"times": [0.0], "north": CURRENTS["north"][:1, 0], "east": CURRENTS["east"][:1, 0]},
    ],
    "environment.WaveForceRAO": [FORCES, FORCES | HALF_TURN, FORCES | {"mean_drift": 0.0}],
    "environment.WaveGauges": [{"positions": 3.0 * np.sin(np.arange(20.0)).reshape(10, 2)}],
    "environment.WaveLoad": [BOAT, BOAT | {"yaw_moment": "corners"}],
    "power.Battery": [BATTERY, BATTERY | {"initial_state_of_charge": 0.2}, BATTERY | {"initial_state_of_charge": 0.85}],
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
"""Parameters in place of those of the samples, where these are smaller than in use."""

MORE: dict[str, dict[str, Any]] = {
    "basic.Delay": {"samples": 20},
    "basic.Demux": {"widths": [1, 2, 3]},
    "basic.LookupTable1D": {"breakpoints": np.linspace(-3.0, 3.0, 20), "table": np.cos(np.arange(20.0))},
    "basic.LookupTable2D": {
        "rows": np.linspace(-2.0, 2.0, 8),
        "columns": np.linspace(-3.0, 3.0, 12),
        "table": np.cos(np.arange(96.0)).reshape(8, 12),
    },
    "basic.MatrixGain": {"matrix": np.sin(np.arange(1.0, 19.0)).reshape(6, 3)},
    "basic.Mux": {"widths": [1, 2, 3]},
    "basic.Ramp": {"start_time": 0.3, "offset": 0.7},
    "basic.Sine": {"amplitude": 0.8, "frequency": 1.3, "phase": 0.4, "offset": 0.2},
    "basic.TimeSeries": {"times": np.linspace(0.1, 5.0, 50), "data": np.cos(np.arange(150.0)).reshape(50, 3)},
    "dynamics.ComplexVessel6DOF": COUPLED_VESSEL
    | {"damping_matrices": [coupled(*(0.5 + 0.1 * i) * np.arange(8.0, 2.0, -1.0)) for i in range(6)]},
    "dynamics.DiagonalVessel3DOF": {"linear_damping": [10.0, 20.0, 4.0]},
    "dynamics.FloatingVehicle": {"linear_damping": coupled(10.0, 20.0, 30.0, 4.0, 5.0, 6.0)},
    "dynamics.Vessel3DOF": {
        "centre_of_gravity": [0.2, -0.1],
        "added_mass": coupled(5.0, 15.0, 2.0),
        "linear_damping": coupled(10.0, 20.0, 4.0),
        "nonlinear_damping": [3.0, 1.0, 8.0, 2.0, 1.0, 0.5, 1.5, 1.0, 0.8, 2.0],
    },
    "dynamics.Vessel6DOF": COUPLED_VESSEL,
    "guidance.CourseLine": {"course": 0.7, "lookahead": 4.0, "origin": [3.0, -2.0]},
    "power.ElectricDrive": {
        "rated_power": [0.5, 1.0, 2.0],
        "load_points": np.linspace(0.0, 1.5, 10),
        "efficiency": np.linspace(0.3, 0.9, 10),
        "idle_power": [0.1, 0.2, 0.3],
    },
    "power.HotelLoad": {"consumption": [5.0, 2.0, 0.4, 12.0, 1.5]},
    "power.ShaftPowerTable": {"speeds": np.linspace(-2.0, 2.0, 15), "torques": np.linspace(-1.0, 1.6, 15) ** 3},
    "thrust.AirFan": {"full_speed": 40.0},
    "thrust.AzimuthThrusters": {"initial_speed": [1.5, -1.0]},
    "thrust.DifferentialThrust": {"full_speed": 40.0},
    "thrust.MeasuredThruster": {
        "allocation_matrix": np.sin(np.arange(1.0, 25.0)).reshape(6, 4),
        "commands": np.linspace(-1.0, 1.0, 41),
        "thrusts": np.linspace(-1.0, 1.2, 41) ** 3,
        "speeds": np.linspace(-20.0, 25.0, 41),
        "powers": np.linspace(-3.0, 4.0, 41) ** 2,
    },
    "thrust.PropellerThrusters": MINERVA
    | {"wake_fraction": [0.0, 0.1, 0.1, 0.2, 0.2], "initial_speed": [10.0, -6.0, 0.1, 15.0, -2.0]},
    "thrust.Tether": {
        "segments": 20,
        "profile_depths": np.linspace(-0.5, 2.0, 8),
        "profile_factors": np.linspace(1.2, 0.3, 8),
    },
}
"""Parameters that every sample of a block gets besides its own, where these leave terms out or are smaller than in use.
"""

WAVES = library()["environment.JonswapSea"](**LOW_SEA, peak_period=3.0).evaluate().outputs["waves"]
"""75 components, the short ones in deep water."""

THROUGH_WATER = [0.8, 0.1, -0.15, 0.02, -0.03, 0.2]

INPUTS: dict[str, dict[str, Any]] = {
    "environment.SeaSurface": {"waves": WAVES},
    "environment.WaveForceRAO": {"waves": WAVES},
    "environment.WaveGauges": {"waves": WAVES},
    "environment.WaveLoad": {"waves": WAVES},
    "navigation.LocalPosition": {"latitude": 0.91, "longitude": 0.075, "height": 60.0},
    "power.ShaftPower": {"advance_speed": [0.8, -0.5]},
    "thrust.MeasuredThruster": {"nu_r": THROUGH_WATER},
    "thrust.PropellerThrusters": {"nu_r": THROUGH_WATER},
    "thrust.Rudder": {"thrust": 2.0},
    "thrust.ThrustAllocation": {"nu_r": THROUGH_WATER},
}
"""Inputs of the instant that is timed; others are sines of order one."""

SCALES: dict[str, tuple[float, ...]] = {
    "navigation.GeodeticPosition": (100.0, -100.0, 3e3, -3e3, 5e4, -5e4),
    "sensors.Gnss": (100.0, -100.0, 3e3, -3e3, 2e4, -2e4),
    "power.Battery": (80.0, -80.0, 5.0, -5.0, 400.0, -400.0),
    "power.ShaftPower": (8.0, -8.0, 2.0, -2.0, 20.0, -20.0),
    "thrust.PropellerThrusters": (15.0, -15.0, 3.0, -3.0, 30.0, -30.0),
    "thrust.ThrustAllocation": (30.0, -30.0, 5.0, -5.0, 150.0, -150.0),
}
"""What inputs that are not given are multiplied by, from point to point of the comparison."""


def all_cases() -> list[Case]:
    """A case per block and sample."""
    cases = []
    for name, cls in library().items():
        if cls.__module__.partition(".")[0] != "blocks":
            continue
        chosen: list[dict[str, Any]] = TYPICAL.get(name) or [dict(example) for example in cls.examples] or [{}]
        for parameters, variant in zip(chosen, _variants(chosen), strict=True):
            whole = parameters | MORE.get(name, {})
            cases.append(Case(name, whole, variant, INPUTS.get(name, {}), SCALES.get(name, EACH_SCALE)))
    return cases


def _variants(samples: list[dict[str, Any]]) -> list[str]:
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
