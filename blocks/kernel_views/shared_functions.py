"""Kernels some of whose functions are those of others: each kernel's own name is yet to be given to them.

A kernel whose functions take a view with names has no place here: what it shares is called by functions of its own.
"""

SHARED: dict[str, dict[str, str]] = {
    "step": {"start": "step_update", "jumps": "step_crossings"},
    "pulse": {"start": "pulse_update", "jumps": "pulse_crossings"},
    "time_series": {"start": "time_series_update"},
    "gaussian_noise": {"update": "noise_update"},
    "uniform_noise": {"update": "noise_update"},
    "white_noise": {"update": "noise_update"},
    "sign": {"outputs": "held_outputs"},
    "rounding": {"outputs": "held_outputs"},
    "compare": {"outputs": "held_outputs"},
    "integrator": {"outputs": "state_outputs"},
    "first_order_lag": {"outputs": "state_outputs"},
    "derivative": {"derivatives": "first_order_lag_derivatives"},
    "unit_delay": {"outputs": "held_outputs", "update": "sample_update"},
    "saturation": {"crossings": "limits_crossings"},
    "dead_zone": {"crossings": "limits_crossings"},
    "quantizer": {"outputs": "held_outputs"},
    "vessel_6dof_euler": {"setup": "vessel_6dof_setup"},
    "vessel_6dof_quaternion": {"setup": "vessel_6dof_setup"},
    "vessel_6dof_velocity": {"setup": "vessel_6dof_setup"},
    "vessel_6dof_complex_euler": {
        "setup": "vessel_6dof_complex_setup",
        "outputs": "vessel_6dof_euler_outputs",
        "derivatives": "vessel_6dof_euler_derivatives",
    },
    "vessel_6dof_complex_quaternion": {
        "setup": "vessel_6dof_complex_setup",
        "outputs": "vessel_6dof_quaternion_outputs",
        "derivatives": "vessel_6dof_quaternion_derivatives",
    },
    "vessel_6dof_complex_velocity": {
        "setup": "vessel_6dof_complex_setup",
        "outputs": "vessel_6dof_velocity_outputs",
        "derivatives": "vessel_6dof_velocity_derivatives",
    },
    "propeller_thrusters_lag": {
        "setup": "propeller_thrusters_setup",
        "outputs": "propeller_thrusters_outputs",
        "derivatives": "propeller_thrusters_derivatives",
    },
    "thrust_allocation_bounded": {"setup": "thrust_allocation_setup"},
    "azimuth_thrusters_lag": {
        "start": "azimuth_thrusters_start",
        "outputs": "azimuth_thrusters_outputs",
        "derivatives": "azimuth_thrusters_derivatives",
    },
    "azimuth_allocation_bounded": {"setup": "azimuth_allocation_setup"},
    "geodetic_position": {"setup": "geodetic_setup"},
    "local_position": {"setup": "geodetic_setup"},
    "pierson_moskowitz_sea": {"outputs": "sea_outputs"},
    "bretschneider_sea": {"outputs": "sea_outputs"},
    "jonswap_sea": {"outputs": "sea_outputs"},
    "torsethaugen_sea": {"outputs": "sea_outputs"},
    "tabulated_sea": {"outputs": "sea_outputs"},
    "propeller_thrusters": {"derivatives": ""},
    "azimuth_thrusters": {"derivatives": "", "start": ""},
}
"""kernel -> kind of function -> the function that does it, "" where its own is only for another one."""
