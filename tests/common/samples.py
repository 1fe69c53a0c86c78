"""Parameters for the blocks of the library that cannot be made without, for the tests that run over every block.

A block that can be made with its defaults needs no entry; one with required parameters has at least one, and a block
whose parameters decide what it computes has one for each kind. `tests/conftest.py` hands out the blocks.
"""

from typing import Any

import numpy as np

PROPELLERS = {
    "allocation_matrix": [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.3, -0.2]],
    "diameter": [0.2, 0.3],
    "thrust_coefficient_forward": [-0.2, -0.3, -0.2, 0.4],
    "thrust_coefficient_reverse": [-0.2, -0.3, -0.2, 0.3],
    "advance_range_forward": [-1.0, 0.9],
    "advance_range_reverse": [-1.0, 0.9],
    "speed_limit_forward": 6.0,
    "speed_limit_reverse": 5.0,
}
# There and back, with a dive on the spot in between and one at the end.
WAYPOINTS = [[0.0, 0.0, 0.0], [20.0, 0.0, 2.0], [20.0, 0.0, 6.0], [0.0, 3.0, 4.0], [0.0, 3.0, 8.0]]

VESSEL = {
    "rigid_body_inertia": np.diag([20.0, 20.0, 20.0, 3.0, 4.0, 5.0]),
    "added_mass": np.diag([5.0, 15.0, 20.0, 1.0, 2.0, 3.0]),
    "linear_damping": np.diag([10.0, 20.0, 30.0, 4.0, 5.0, 6.0]),
    "weight": 196.0,
    "buoyancy": 198.0,
    "centre_of_gravity": [0.0, 0.0, 0.05],
    "initial_nu": [0.4, 0.1, -0.1, 0.02, 0.01, 0.05],
}
LEGS = {"waypoints": WAYPOINTS, "acceptance_radius": 2.0, "cruise_speed": 0.8}

SAMPLES: dict[str, list[dict[str, Any]]] = {
    "basic.Delay": [{"samples": 3, "period": 0.1}],
    "basic.Demux": [{"widths": [1, 2]}],
    "basic.Derivative": [{"time_constant": 0.5}],
    "basic.DiscreteIntegrator": [
        {"period": 0.1},
        {"period": 0.1, "method": "trapezoidal"},
        {"period": 0.1, "method": "backward"},
    ],
    "basic.FirstOrderLag": [{"time_constant": 0.5}],
    "basic.Function": [{"function": "abs"}, {"function": "sin"}, {"function": "square"}],
    "basic.GaussianNoise": [{"period": 0.1}],
    "basic.LimitedIntegrator": [{"lower": -0.5, "upper": 0.5}],
    "basic.LookupTable1D": [{"breakpoints": [0.0, 1.0, 3.0], "table": [1.0, 2.0, -1.0]}],
    "basic.LookupTable2D": [{"rows": [0.0, 1.0], "columns": [0.0, 2.0], "table": [[1.0, 2.0], [3.0, 5.0]]}],
    "basic.MatrixGain": [{"matrix": [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]]}],
    "basic.MinMax": [{"function": "min"}, {"function": "max", "count": 3}],
    "basic.Mux": [{"widths": [1, 2]}],
    "basic.Product": [{"operations": "*/"}, {"operations": "***"}],
    "basic.Pulse": [{"period": 0.4}],
    "basic.Quantizer": [{"interval": 0.25}],
    "basic.RateLimiter": [{"rising": 1.0, "falling": 2.0}],
    "basic.Saturation": [{"lower": -0.5, "upper": 0.5}],
    "basic.Selector": [{"indices": [2, 0]}],
    "basic.StateSpace": [
        {"A": [[0.0, 1.0], [-1.0, -0.5]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0]], "D": [[0.5]]},
        {"A": [[0.0, 1.0], [-1.0, -0.5]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0]]},
    ],
    "basic.Sum": [{"signs": "+-"}, {"signs": "-++"}],
    "basic.TimeSeries": [
        {"times": [0.0, 1.0, 3.0], "data": [0.0, 2.0, 1.0]},
        {"times": [0.0, 1.0, 3.0], "data": [0.0, 2.0, 1.0], "interpolation": "hold"},
    ],
    "basic.TransferFunction": [
        {"numerator": [1.0, 2.0], "denominator": [1.0, 0.5, 1.0]},
        {"numerator": [2.0, 1.0, 0.0], "denominator": [1.0, 0.5, 1.0]},
    ],
    "basic.UniformNoise": [{"period": 0.1}],
    "basic.UnitDelay": [{"period": 0.1}],
    "basic.WhiteNoise": [{"period": 0.1}],
    "basic.ZeroOrderHold": [{"period": 0.1}],
    "control.PID": [
        {"kp": 2.0, "ki": 0.5, "kd": 0.3, "lower": -3.0, "upper": 3.0},
        {"kp": 2.0, "kd": 0.3, "derivative": "measurement", "bumpless": False},
        {"kp": 2.0, "kd": 0.3, "derivative": "rate", "angle": True},
        {"kp": 2.0, "ki": 0.5, "derivative": "none", "anti_windup": "clamping", "upper": 1.0},
    ],
    "dynamics.DiagonalVessel3DOF": [{"inertia": [20.0, 30.0, 5.0]}],
    "dynamics.Vessel3DOF": [{"mass": 20.0, "yaw_inertia": 5.0}],
    "dynamics.Vessel6DOF": [VESSEL, VESSEL | {"attitude": "quaternion"}, VESSEL | {"coriolis": False}],
    "environment.UniformCurrent": [{"speed": 0.3, "direction": 0.7}],
    "guidance.LineOfSight": [
        LEGS | {"integral_gain": 0.1},
        LEGS | {"speed_taper": False, "depth_reference": "leg"},
        LEGS | {"sideslip_compensation": True, "switching": "along_track", "at_end": "loop"},
    ],
    "thrust.PropellerThrusters": [
        PROPELLERS,
        PROPELLERS | {"response": "first_order"},
        PROPELLERS | {"response": "rate_limited"},
        PROPELLERS
        | {
            "torque_model": "coefficients",
            "torque_coefficient_forward": [-0.02, -0.03, -0.02, 0.04],
            "torque_coefficient_reverse": [-0.02, -0.03, -0.02, 0.03],
        },
    ],
    "thrust.ThrustAllocation": [PROPELLERS],
}
