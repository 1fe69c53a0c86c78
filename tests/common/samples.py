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
AZIMUTHS = {
    "positions": [[-0.42, -0.08, 0.1], [0.28, 0.05, -0.2]],
    "thrust_coefficient": [[0.01, 0.2, 0.05], [3.5, 0.1, 0.3]],
    "speed_limit_forward": [6.0, 3.0],
    "speed_limit_reverse": [5.0, 2.0],
    "angle_min": [-2.0, -1.5],
    "angle_max": [2.0, 1.5],
}
FOIL = {
    "position": [-0.8, 0.1, 0.2],
    "area": 0.05,
    "lift_coefficient": 0.8,
    "drag_coefficient": 0.6,
    "angle_limit": 0.6,
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
POSITIONING = {"lower": -3.0, "upper": 3.0, "tracking_gain": 0.6}
SCHEDULE = {"breakpoints": [0.4, 0.8, 1.5], "kp": [2.0, 1.5, 1.0], "ki": [0.5, 0.4, 0.2], "kd": [0.3, 0.2, 0.1]}
SLIDING = {"bandwidth": 0.6, "kd": 1.0, "switching_gain": 1.5, "boundary_layer": 0.7, "inertia": 2.0}
SLIDING |= {"damping": 0.8, "quadratic_damping": 0.6, "lower": -2.0, "upper": 2.0}
STIFFNESS = np.diag([3.0, 2.0, 50.0, 4.0, 5.0, 1.0])
CROSSED = np.array([(0.5 + 0.1 * i) * np.diag([8.0, 9.0, 10.0, 2.0, 3.0, 4.0]) for i in range(6)])
AFLOAT = {
    "length": 1.2,
    "breadth": 0.8,
    "draught": 0.2,
    "displacement": 0.12,
    "centre_of_gravity": [0.55, 0.03, 0.12],
    "radii_of_gyration": [0.25, 0.3, 0.32],
    "rotational_drag": [3.0, 4.0, 5.0],
    "initial_nu": [0.4, 0.1, -0.1, 0.02, 0.01, 0.05],
}
NOMOTO = {
    "gain": 0.5,
    "time_constant": 3.0,
    "second_time_constant": 0.7,
    "lead_time_constant": 1.5,
    "rudder_moment": 2.0,
    "surge_gain": 0.2,
    "surge_time_constant": 4.0,
}
SEA = {"frequencies": 2, "directions": 2, "direction": 0.7, "seed": 7, "depth": 3.0}
RAO = {
    "frequencies": [0.2, 1.0, 3.0],
    "headings": [-2.4, -1.2, 0.1, 1.3, 2.6],
    "amplitude": np.arange(1.0, 91.0).reshape(6, 3, 5),
    "phase": np.sin(np.arange(90.0)).reshape(6, 3, 5),
    "mean_drift": np.cos(np.arange(45.0)).reshape(3, 3, 5),
}
FIELD = {"x": [-60.0, -0.9, 0.8, 70.0], "y": [-80.0, -1.1, 75.0], "times": [-1.5, 2.0]}
CLOSE = {"x": [-1.4, -0.5, 0.6, 1.7], "y": [-1.6, 0.4, 1.3], "outside": "fill", "fill": [0.3, -0.4]}
NORTH, EAST = np.sin(np.arange(144.0).reshape(2, 2, 3, 4, 3))
OBLIQUE = np.array([0.0, 1.0, 1.0, 1.0, 0.0])
SIDED = {
    "headings": [0.0, 0.7, 1.6, 2.5, np.pi],
    "amplitude": np.arange(1.0, 91.0).reshape(6, 3, 5) * np.array([np.ones(5), OBLIQUE] * 3)[:, None],
    "mean_drift": np.cos(np.arange(45.0)).reshape(3, 3, 5) * np.array([np.ones(5), OBLIQUE, OBLIQUE])[:, None],
}
# Circles so wide that a vehicle is often within several: what decides about legs is then soon seen.
HEADING = {"compass_noise": 0.05, "gyro_noise_density": 0.01, "period": 0.1}
HEADING |= {"initial_standard_deviation": [0.5, 0.2, 0.1]}
LEGS = {"waypoints": WAYPOINTS, "acceptance_radius": 6.0, "cruise_speed": 0.8}
BENDS = [[0.0, 0.0, 0.0], [4.0, 1.0, 1.0], [6.0, 5.0, 3.0], [2.0, 8.0, 2.0]]
CURVE = {"waypoints": BENDS, "acceptance_radius": 4.0, "cruise_speed": 0.8}

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
    "control.DepthController": [
        {"kp": 3.0, "ki": 0.5, "kd": 2.0, "inertia": 2.0, "damping": 1.0, "quadratic_damping": 0.7}
        | {"lower": -4.0, "upper": 4.0},
    ],
    "control.DivePlaneController": [
        {"kp": 0.3, "ki": 0.05, "pitch_kp": 3.0, "pitch_kd": 2.0, "stiffness": 1.5, "lower": -1.0, "upper": 1.0},
    ],
    "control.DynamicPositioning": [
        POSITIONING | {name: np.diag([3.0, 4.0, 2.0]) for name in ("kp", "ki", "kd", "mass_matrix", "damping")},
        POSITIONING
        | {name: np.diag([3.0, 4.0, 2.0, 1.0, 2.0, 3.0]) for name in ("kp", "ki", "kd", "mass_matrix", "damping")},
    ],
    "control.GainScheduledPID": [
        SCHEDULE | {"lower": -3.0, "upper": 3.0},
        SCHEDULE | {"derivative": "rate", "angle": True},
    ],
    "control.HeadingAutopilot": [
        {"kp": 3.0, "ki": 0.5, "kd": 2.0, "inertia": 2.0, "damping": 1.0, "quadratic_damping": 0.7}
        | {"lower": -2.0, "upper": 2.0},
    ],
    "control.IntegralSlidingMode": [SLIDING],
    "control.PID": [
        {"kp": 2.0, "ki": 0.5, "kd": 0.3, "lower": -3.0, "upper": 3.0},
        {"kp": 2.0, "kd": 0.3, "derivative": "measurement", "bumpless": False},
        {"kp": 2.0, "kd": 0.3, "derivative": "rate", "angle": True},
        {"kp": 2.0, "ki": 0.5, "derivative": "none", "anti_windup": "clamping", "upper": 1.0},
    ],
    "control.SpeedController": [
        {"kp": 3.0, "ki": 0.5, "inertia": 2.0, "damping": 1.0, "quadratic_damping": 0.7, "lower": -4.0, "upper": 4.0},
    ],
    "dynamics.ComplexVessel6DOF": [
        VESSEL | {"damping_matrices": CROSSED},
        VESSEL | {"damping_matrices": CROSSED, "attitude": "quaternion", "stiffness": STIFFNESS},
        VESSEL | {"damping_matrices": CROSSED, "integrate_pose": False},
    ],
    "dynamics.DiagonalVessel3DOF": [{"inertia": [20.0, 30.0, 5.0]}],
    "dynamics.FloatingVehicle": [AFLOAT, AFLOAT | {"hydrostatics": "metacentric", "coriolis": False}],
    "dynamics.KinematicVehicle": [{"mobility": [0.5, 0.4, 0.3, 0.05, 0.04, 0.2], "response_time": 0.3}],
    "dynamics.NomotoVessel": [NOMOTO, NOMOTO | {"order": "second"}],
    "dynamics.Vessel3DOF": [{"mass": 20.0, "yaw_inertia": 5.0}],
    "dynamics.Vessel6DOF": [
        VESSEL,
        VESSEL | {"attitude": "quaternion"},
        VESSEL | {"coriolis": False},
        VESSEL | {"stiffness": STIFFNESS, "equilibrium": [0.3, 0.2, 0.1, 0.02, 0.01, 0.1]},
        VESSEL | {"stiffness": STIFFNESS, "attitude": "quaternion"},
        VESSEL | {"integrate_pose": False},
        VESSEL | {"integrate_pose": False, "stiffness": STIFFNESS},
    ],
    "environment.BretschneiderSea": [
        SEA | {"significant_height": 0.5, "period": 3.0},
        SEA | {"significant_height": 0.5, "period": 3.0, "directions": 1, "bands": "equal-step"},
    ],
    "environment.JonswapSea": [SEA | {"significant_height": 0.5, "peak_period": 3.0, "placement": "middle"}],
    "environment.PiersonMoskowitzSea": [SEA | {"wind_speed": 5.0}],
    "environment.RegularWave": [{"amplitude": 0.3, "period": 3.0, "direction": 0.7, "phase": 0.4, "depth": 3.0}],
    "environment.TabulatedSea": [
        SEA | {"table_frequencies": [0.1, 0.3, 0.4, 0.9], "densities": [0.02, 0.3, 0.2, 0.05]},
    ],
    "environment.TorsethaugenSea": [
        SEA | {"significant_height": 3.0, "peak_period": 6.0},
        SEA | {"significant_height": 2.0, "peak_period": 12.0},
    ],
    "environment.WaveGauges": [{"positions": [[0.0, 0.0], [2.0, -3.0]]}],
    "environment.CurrentField": [
        FIELD | {"north": NORTH[:, :1], "east": EAST[:, :1]},
        FIELD | {"north": NORTH[:1, :1], "east": EAST[:1, :1], "times": [0.0]},
        FIELD | {"north": NORTH, "east": EAST, "depths": [-2.0, 0.3, 2.5]} | CLOSE,
        FIELD | {"north": NORTH[:, :1], "east": EAST[:, :1]} | CLOSE,
        FIELD | {"north": NORTH[:1, :1], "east": EAST[:1, :1], "times": [0.0]} | CLOSE,
    ],
    "environment.GaussMarkovCurrent": [
        {
            "speed": 0.3,
            "direction": 0.7,
            "vertical": 0.1,
            "speed_deviation": 0.1,
            "direction_deviation": 0.2,
            "vertical_deviation": 0.05,
            "lowest_speed": 0.25,
            "highest_speed": 0.4,
            "period": 0.5,
        }
    ],
    "environment.GustingWind": [
        {"speed": 5.0, "direction": 0.7, "spectrum": spectrum, "harmonics": 12}
        for spectrum in ("davenport", "harris", "norsok")
    ],
    "environment.PowerLawCurrent": [{"speed": 0.4, "direction": 0.7, "depth": 3.0}],
    "environment.ShearedCurrent": [
        {"depths": [-1.0, 0.2, 0.8, 2.0], "speeds": [0.6, 0.5, 0.2, 0.1], "directions": [0.7, 0.3, 6.1, 5.0]}
    ],
    "environment.WindField": [
        FIELD | {"north": NORTH[:, 0], "east": EAST[:, 0]} | CLOSE,
        FIELD | {"north": NORTH[:1, 0], "east": EAST[:1, 0], "times": [0.0]} | CLOSE,
        FIELD | {"north": NORTH[:1, 0], "east": EAST[:1, 0], "times": [0.0]},
    ],
    "environment.UniformCurrent": [{"speed": 0.3, "direction": 0.7}],
    "environment.UniformWind": [{"speed": 5.0, "direction": 0.7}],
    "environment.WaveForceRAO": [RAO, RAO | SIDED],
    "environment.WaveLoad": [
        {"length": 2.0, "breadth": 0.8, "areas": [0.2, 0.5, 1.4], "centre": [0.2, 0.1, -0.1], "pressure_depth": 0.1},
        {"length": 2.0, "breadth": 0.8, "areas": [0.2, 0.5, 1.4], "yaw_moment": "corners"},
    ],
    "environment.WindLoad": [
        {"frontal_area": 0.1, "lateral_area": 0.2, "yaw_coefficient": 0.1},
        {"frontal_area": 0.1, "lateral_area": 0.2, "yaw_coefficient": 0.1, "reference": "true"},
    ],
    "guidance.AdaptiveLineOfSight": [LEGS | {"adaptation_gain": 0.02, "sideslip_limit": 0.3}],
    "guidance.CurvedPath": [
        CURVE,
        CURVE | {"interpolation": "pchip", "speed_taper": False, "sideslip_compensation": True, "start_on": "path"},
    ],
    "guidance.DubinsPath": [
        CURVE | {"headings": [0.3, 1.2, 0.7, -2.0], "turning_radius": 1.5, "acceptance_radius": 15.0},
    ],
    "guidance.IntegralLineOfSight": [LEGS | {"integral_gain": 0.3, "sideslip_limit": 0.3}],
    "guidance.LineOfSight": [
        LEGS,
        LEGS | {"steering": "enclosure", "enclosure_radius": 4.0, "speed_taper": False, "depth_reference": "leg"},
        LEGS
        | {
            "steering": "proportional_integral",
            "ki": 0.2,
            "sideslip_limit": 0.3,
            "sideslip_compensation": True,
            "switching": "along_track",
            "at_end": "loop",
        },
    ],
    "guidance.LineOfSight3D": [
        LEGS | {"pitch_limit": 0.6, "switching": "along_track", "at_end": "loop"},
        LEGS
        | {
            "adaptive": True,
            "adaptation_gain": 0.02,
            "vertical_adaptation_gain": 0.03,
            "sideslip_limit": 0.3,
            "sideslip_compensation": True,
        },
    ],
    "guidance.MinimumSnapTrajectory": [
        {"waypoints": BENDS, "times": [0.0, 0.8, 2.1, 3.5]},
        {"waypoints": BENDS, "cruise_speed": 4.0, "cruise_acceleration": 6.0},
    ],
    "guidance.StationKeeping": [
        {"station": [1.0, -2.0, 0.5], "radius": 2.0, "outer_radius": 4.0, "approach_speed": 1.2, "slow_distance": 6.0}
    ],
    "guidance.TargetTracking": [
        {"approach_speed": 1.5, "approach_distance": 3.0, "offset": [1.0, -2.0, 0.5]},
        {"approach_speed": 1.5, "approach_distance": 3.0, "law": "pure_pursuit"},
        {"approach_speed": 1e7, "approach_distance": 1e9},  # there: the own heading is kept
        {"approach_speed": 0.0, "approach_distance": 3.0, "law": "pure_pursuit"},
    ],
    "guidance.ReferenceModel": [
        {"frequency": [1.0, 2.0], "rate_limit": 0.4, "acceleration_limit": [0.3, 0.5]},
        {"frequency": 1.5, "angle": True},
        {"frequency": [1.0, 2.0], "damping": 0.8, "start": "measured", "acceleration_limit": 0.3},
    ],
    "navigation.GeodeticPosition": [
        {"origin_latitude": 0.9, "origin_longitude": 0.08, "origin_height": 40.0},
        {"origin_latitude": -0.6, "origin_longitude": 2.6, "ellipsoid": "sphere"},
    ],
    "navigation.LocalPosition": [
        {"origin_latitude": 0.9, "origin_longitude": 0.08, "origin_height": 40.0},
        {"origin_latitude": -0.6, "origin_longitude": 2.6, "ellipsoid": "sphere"},
    ],
    "navigation.HeadingFilter": [HEADING, HEADING | {"gain": "steady"}],
    "navigation.NavigationFilter": [
        {"gnss_noise": 0.8, "compass_noise": 0.05, "gyro_noise_density": 0.01, "log_noise": 0.05, "period": 0.1}
        | {"lever_arm": [0.5, 0.2, -1.0], "initial_standard_deviation": [2.0, 3.0, 0.4, 0.02, 0.3, 0.2]},
    ],
    "sensors.Compass": [
        {"period": 0.1, "noise": 0.02, "deviation": [0.02, 0.05, -0.04, 0.03, 0.01]},
        {"period": 0.1, "delay": 2},
    ],
    "sensors.DepthGauge": [{"period": 0.1, "lever_arm": [0.5, 0.2, 0.3]}, {"period": 0.1, "delay": 1}],
    "sensors.DopplerLog": [
        {"period": 0.1, "noise": 0.01, "lever_arm": [0.5, 0.2, 0.3]},
        {"period": 0.1, "track": "ground", "delay": 2},
    ],
    "sensors.Gnss": [
        {"origin_latitude": 0.9, "origin_longitude": 0.08, "period": 0.2, "lever_arm": [0.5, 0.2, -1.0]}
        | {"horizontal_noise": 0.5, "velocity_noise": 0.05, "horizontal_drift": 0.3, "vertical_drift": 0.4},
        {"origin_latitude": 0.9, "origin_longitude": 0.08, "ellipsoid": "sphere", "period": 0.1, "delay": 2},
    ],
    "sensors.Imu": [
        {"period": 0.1, "lever_arm": [0.5, 0.2, -1.0], "accelerometer_noise_density": 0.01, "gyro_drift": 0.002},
        {"period": 0.1, "delay": 2},
    ],
    "thrust.AirFan": [
        {
            "position": [-0.5, 0.1, -0.4],
            "thrust_limit_forward": 0.9,
            "thrust_limit_reverse": 0.5,
            "angle_limit": 0.8,
            "diameter": 0.3,
        }
    ],
    "thrust.AzimuthAllocation": [
        AZIMUTHS | {"angle_max": [0.9, 0.4], "speed_limit_forward": [1.5, 0.1]},
        AZIMUTHS | {"angle_min": [2.0, 1.8], "angle_max": [3.0, 2.9], "speed_limit_reverse": 0.0},
        AZIMUTHS | {"angle_max": [0.9, 0.4], "speed_limit_forward": [1.5, 0.1], "limits": "bounded"},
    ],
    "thrust.AzimuthThrusters": [
        *(
            AZIMUTHS | {"inflow_coefficient": 0.2, "power_coefficient": 0.3, "response": response}
            for response in ("instant", "first_order", "rate_limited")
        ),
        AZIMUTHS | {"inflow_coefficient": 0.2, "power_model": "figure_of_merit", "diameter": 0.2},
        AZIMUTHS
        | {
            "inflow_coefficient": 0.2,
            "power_model": "figure_of_merit",
            "diameter": 0.2,
            "response": "first_order",
            "full_turn": "endless",
            "angle_min": -3.2,
            "angle_max": [3.2, 1.5],
        },
    ],
    "power.Battery": [
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
    ],
    "power.ElectricDrive": [
        {"rated_power": 2.0, "load_points": [0.1, 0.5, 1.0], "efficiency": [0.3, 0.8, 0.7], "regeneration": 0.4},
    ],
    "power.ElectricMotor": [
        {
            "copper_coefficient": 0.5,
            "iron_coefficient": 0.02,
            "windage_coefficient": 1e-4,
            "constant_loss": 2.0,
        },
    ],
    "power.HotelLoad": [{"consumption": [5.0, 2.0]}],
    "power.ShaftPower": [
        {
            "diameter": [0.2, 0.3],
            "torque_coefficient_forward": [-0.02, -0.03, -0.02, 0.04],
            "torque_coefficient_reverse": [-0.02, -0.03, -0.02, 0.03],
        },
    ],
    "power.ShaftPowerTable": [{"speeds": [-2.0, 0.0, 1.0, 3.0], "torques": [-0.8, 0.0, 0.3, 2.0]}],
    "thrust.DifferentialThrust": [
        {
            "spacing": 0.4,
            "depth": 0.1,
            "thrust_limit_forward": 0.9,
            "thrust_limit_reverse": 0.5,
            "efficiency": 0.7,
        }
    ],
    "thrust.Foil": [FOIL | {"cant": 0.7}],
    "thrust.MeasuredThruster": [
        {
            "allocation_matrix": np.arange(1.0, 13.0).reshape(6, 2) / 10.0,
            "commands": [-0.9, 0.4, 0.7, 1.3],
            "thrusts": [-2.0, 0.1, 0.9, 3.0],
            "speeds": [-5.0, 1.0, 2.0, 4.0],
            "powers": [4.0, 0.3, 0.8, 5.0],
            "inflow_coefficient": 0.2,
            "interpolation": interpolation,
        }
        for interpolation in ("pchip", "linear")
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
    "thrust.Rudder": [
        *(FOIL | {"response": response} for response in ("instant", "first_order", "rate_limited")),
        FOIL | {"propeller_diameter": 0.2, "slipstream_share": 0.7},
        FOIL | {"propeller_diameter": 0.2, "slipstream_share": 0.7, "response": "first_order"},
    ],
    "thrust.Sail": [FOIL],
    "thrust.Tether": [
        {
            "position": [-0.3, 0.1, -0.2],
            "length": 1.5,
            "diameter": 0.1,
            "weight": 2.0,
            "axial_stiffness": 50.0,
            "tangential_drag": 0.2,
            "segments": 3,
            "profile_depths": [0.0, 0.6, 2.0],
            "profile_factors": [1.0, 0.7, 0.2],
        }
    ],
    "thrust.ThrustAllocation": [
        PROPELLERS,
        PROPELLERS | {"limits": "bounded", "speed_limit_forward": [0.8, 0.3], "speed_limit_reverse": [0.6, 0.3]},
    ],
}
