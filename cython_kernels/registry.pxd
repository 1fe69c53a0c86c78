"""Every kernel by name, in one place: what a plan may ask for.

One line per kernel: name, setup, start, outputs, derivatives, update, crossings, jumps, then how many inputs, outputs,
parameters (without the initial values of states) and sizes it expects; -1 where the number varies. The counts are
compared with the block's declaration when the block is imported and when a plan is made.
"""

from libc.string cimport strcmp

from cython_kernels.basic.continuous cimport (
    derivative_outputs, first_order_lag_derivatives, integrator_derivatives, limited_integrator_crossings,
    limited_integrator_derivatives, limited_integrator_outputs, limited_integrator_update, state_outputs,
    state_space_derivatives, state_space_outputs, state_space_setup, transfer_function_derivatives,
    transfer_function_outputs, transfer_function_setup,
)
from cython_kernels.basic.discontinuities cimport (
    dead_zone_outputs, limits_crossings, quantizer_crossings, quantizer_update, rate_limiter_crossings,
    rate_limiter_outputs, rate_limiter_start, rate_limiter_update, saturation_outputs,
)
from cython_kernels.basic.discrete cimport (
    delay_outputs, delay_start, delay_update, discrete_integrator_outputs, discrete_integrator_update, sample_update,
    zero_order_hold_outputs,
)
from cython_kernels.basic.lookup cimport lookup_table_1d_outputs, lookup_table_2d_outputs
from cython_kernels.basic.math cimport (
    atan2_outputs, compare_crossings, compare_update, function_crossings, function_outputs, gain_outputs, held_outputs,
    matrix_gain_outputs, min_max_crossings, min_max_outputs, product_outputs, rounding_crossings, rounding_update,
    sign_crossings, sign_update, sum_outputs, wrap_angle_crossings, wrap_angle_outputs,
)
from cython_kernels.basic.noise cimport (
    gaussian_noise_outputs, gaussian_noise_start, noise_update, uniform_noise_outputs, uniform_noise_start,
    white_noise_outputs, white_noise_start,
)
from cython_kernels.basic.routing cimport (
    demux_outputs, mux_outputs, selector_outputs, selector_setup, switch_crossings, switch_outputs, switch_update,
)
from cython_kernels.basic.sources cimport (
    clock_outputs, constant_outputs, pulse_crossings, pulse_outputs, pulse_update, ramp_crossings, ramp_outputs,
    sine_outputs, step_crossings, step_outputs, step_update, time_series_crossings, time_series_jumps,
    time_series_outputs, time_series_update,
)
from cython_kernels.control.depth_controller cimport depth_controller_derivatives, depth_controller_outputs
from cython_kernels.control.dive_plane_controller cimport (
    dive_plane_controller_derivatives, dive_plane_controller_outputs,
)
from cython_kernels.control.dynamic_positioning cimport (
    dynamic_positioning_derivatives, dynamic_positioning_outputs, dynamic_positioning_setup,
)
from cython_kernels.control.gain_scheduled_pid cimport (
    gain_scheduled_pid_derivatives, gain_scheduled_pid_outputs, gain_scheduled_pid_setup,
    gain_scheduled_pid_unfiltered_derivatives, gain_scheduled_pid_unfiltered_outputs,
)
from cython_kernels.control.heading_autopilot cimport heading_autopilot_derivatives, heading_autopilot_outputs
from cython_kernels.control.integral_sliding_mode cimport (
    integral_sliding_mode_derivatives, integral_sliding_mode_outputs,
)
from cython_kernels.control.pid cimport (
    pid_derivatives, pid_outputs, pid_setup, pid_unfiltered_derivatives, pid_unfiltered_outputs, pid_update,
)
from cython_kernels.control.speed_controller cimport speed_controller_derivatives, speed_controller_outputs
from cython_kernels.control.wrench cimport compose_wrench_outputs
from cython_kernels.dynamics.floating_vehicle cimport (
    floating_vehicle_derivatives, floating_vehicle_outputs, floating_vehicle_setup,
)
from cython_kernels.dynamics.kinematic_vehicle cimport kinematic_vehicle_derivatives, kinematic_vehicle_outputs
from cython_kernels.dynamics.nomoto cimport (
    nomoto_first_derivatives, nomoto_first_outputs, nomoto_second_derivatives, nomoto_second_outputs,
)
from cython_kernels.dynamics.vessel_3dof cimport vessel_3dof_derivatives, vessel_3dof_outputs, vessel_3dof_setup
from cython_kernels.dynamics.vessel_3dof_diagonal cimport (
    vessel_3dof_diagonal_derivatives, vessel_3dof_diagonal_outputs, vessel_3dof_diagonal_setup,
)
from cython_kernels.dynamics.vessel_6dof cimport (
    vessel_6dof_euler_derivatives, vessel_6dof_euler_outputs, vessel_6dof_quaternion_derivatives,
    vessel_6dof_quaternion_outputs, vessel_6dof_quaternion_start, vessel_6dof_velocity_derivatives,
    vessel_6dof_velocity_outputs,
)
from cython_kernels.dynamics.vessel_6dof_complex cimport vessel_6dof_complex_quaternion_start, vessel_6dof_complex_setup
from cython_kernels.dynamics.vessel_6dof_setup cimport vessel_6dof_setup
from cython_kernels.environment.bretschneider_sea cimport bretschneider_sea_setup
from cython_kernels.environment.current cimport uniform_current_outputs, uniform_current_setup
from cython_kernels.environment.current_field cimport current_field_outputs
from cython_kernels.environment.gauss_markov_current cimport (
    gauss_markov_current_outputs, gauss_markov_current_setup, gauss_markov_current_start, gauss_markov_current_update,
)
from cython_kernels.environment.gusting_wind cimport gusting_wind_outputs, gusting_wind_setup
from cython_kernels.environment.jonswap_sea cimport jonswap_sea_setup
from cython_kernels.environment.pierson_moskowitz_sea cimport pierson_moskowitz_sea_setup
from cython_kernels.environment.regular_wave cimport regular_wave_outputs, regular_wave_setup
from cython_kernels.environment.sea cimport sea_outputs
from cython_kernels.environment.sea_surface cimport sea_surface_outputs, wave_gauges_outputs
from cython_kernels.environment.sheared_current cimport (
    power_law_current_outputs, power_law_current_setup, sheared_current_outputs, sheared_current_setup,
)
from cython_kernels.environment.tabulated_sea cimport tabulated_sea_setup
from cython_kernels.environment.torsethaugen_sea cimport torsethaugen_sea_setup
from cython_kernels.environment.wave_force_rao cimport wave_force_rao_outputs, wave_force_rao_setup
from cython_kernels.environment.wave_load cimport wave_load_outputs
from cython_kernels.environment.wind cimport uniform_wind_outputs, uniform_wind_setup
from cython_kernels.environment.wind_field cimport wind_field_outputs
from cython_kernels.environment.wind_load cimport wind_load_outputs, wind_load_setup
from cython_kernels.guidance.adaptive_line_of_sight cimport (
    adaptive_line_of_sight_derivatives, adaptive_line_of_sight_outputs, adaptive_line_of_sight_update,
)
from cython_kernels.guidance.course_line cimport course_line_outputs, course_line_setup
from cython_kernels.guidance.curved_path cimport curved_path_setup
from cython_kernels.guidance.dubins_path cimport dubins_path_setup
from cython_kernels.guidance.integral_line_of_sight cimport (
    integral_line_of_sight_derivatives, integral_line_of_sight_outputs, integral_line_of_sight_update,
)
from cython_kernels.guidance.line_of_sight cimport (
    line_of_sight_outputs, line_of_sight_pi_derivatives, line_of_sight_update,
)
from cython_kernels.guidance.line_of_sight_3d cimport (
    line_of_sight_3d_crossings, line_of_sight_3d_derivatives, line_of_sight_3d_outputs, line_of_sight_3d_setup,
    line_of_sight_3d_update,
)
from cython_kernels.guidance.minimum_snap cimport minimum_snap_crossings, minimum_snap_outputs, minimum_snap_update
from cython_kernels.guidance.minimum_snap_setup cimport minimum_snap_setup
from cython_kernels.guidance.path_following cimport (
    path_following_crossings, path_following_derivatives, path_following_outputs, path_following_update,
)
from cython_kernels.guidance.reference_model cimport (
    reference_model_derivatives, reference_model_measured_derivatives, reference_model_measured_outputs,
    reference_model_measured_update, reference_model_outputs,
)
from cython_kernels.guidance.station_keeping cimport (
    station_keeping_crossings, station_keeping_outputs, station_keeping_update,
)
from cython_kernels.guidance.steering cimport integral_steering_setup, steering_crossings, steering_setup
from cython_kernels.guidance.target_tracking cimport target_tracking_outputs
from cython_kernels.guidance.zigzag_steering cimport (
    zigzag_steering_crossings, zigzag_steering_outputs, zigzag_steering_update,
)
from cython_kernels.navigation.geodetic_position cimport geodetic_position_outputs
from cython_kernels.navigation.heading_filter cimport (
    heading_filter_outputs, heading_filter_start, heading_filter_steady_outputs, heading_filter_steady_setup,
    heading_filter_steady_update, heading_filter_update,
)
from cython_kernels.navigation.local_position cimport local_position_outputs
from cython_kernels.navigation.navigation_filter cimport (
    navigation_filter_outputs, navigation_filter_start, navigation_filter_update,
)
from cython_kernels.navigation.tangent_plane cimport geodetic_setup
from cython_kernels.power.battery cimport battery_crossings, battery_derivatives, battery_outputs, battery_update
from cython_kernels.power.electric_drive cimport electric_drive_outputs
from cython_kernels.power.electric_motor cimport electric_motor_outputs
from cython_kernels.power.energy_meter cimport energy_meter_derivatives, energy_meter_outputs
from cython_kernels.power.hotel_load cimport hotel_load_outputs
from cython_kernels.power.shaft_power cimport shaft_power_outputs
from cython_kernels.power.shaft_power_table cimport shaft_power_table_outputs
from cython_kernels.power.thrust_power cimport thrust_power_outputs
from cython_kernels.sensors.compass cimport compass_outputs, compass_start, compass_update
from cython_kernels.sensors.depth_gauge cimport depth_gauge_outputs, depth_gauge_start, depth_gauge_update
from cython_kernels.sensors.doppler_log cimport doppler_log_outputs, doppler_log_start, doppler_log_update
from cython_kernels.sensors.gnss cimport gnss_outputs, gnss_setup, gnss_start, gnss_update
from cython_kernels.sensors.imu cimport imu_outputs, imu_setup, imu_start, imu_update
from cython_kernels.thrust.air_fan cimport air_fan_outputs
from cython_kernels.thrust.allocation cimport (
    thrust_allocation_bounded_outputs, thrust_allocation_outputs, thrust_allocation_setup,
)
from cython_kernels.thrust.azimuth_allocation cimport azimuth_allocation_outputs, azimuth_allocation_setup
from cython_kernels.thrust.azimuth_allocation_bounded cimport azimuth_allocation_bounded_outputs
from cython_kernels.thrust.azimuth_thrusters cimport (
    azimuth_thrusters_derivatives, azimuth_thrusters_outputs, azimuth_thrusters_start,
)
from cython_kernels.thrust.differential_thrust cimport differential_thrust_outputs
from cython_kernels.thrust.foil cimport foil_outputs, foil_setup
from cython_kernels.thrust.measured_thruster cimport measured_thruster_outputs, measured_thruster_setup
from cython_kernels.thrust.propeller_thrusters cimport (
    propeller_thrusters_derivatives, propeller_thrusters_outputs, propeller_thrusters_setup,
)
from cython_kernels.thrust.rudder cimport rudder_derivatives, rudder_outputs
from cython_kernels.thrust.sail cimport sail_outputs
from cython_kernels.thrust.tether cimport tether_outputs
from cython_kernels.view cimport Kernel, KernelEntry


cdef inline bint entry(
    KernelEntry* k, const char* wanted, const char* name,
    Kernel setup, Kernel start, Kernel outputs, Kernel derivatives, Kernel update, Kernel crossings, Kernel jumps,
    int inputs, int outputs_count, int parameters, int sizes,
) noexcept nogil:
    """Fill `k` if `name` is the wanted one."""
    if strcmp(wanted, name) != 0:
        return False
    k.name = name
    k.setup = setup
    k.start = start
    k.outputs = outputs
    k.derivatives = derivatives
    k.update = update
    k.crossings = crossings
    k.jumps = jumps
    k.inputs = inputs
    k.outputs_count = outputs_count
    k.parameters = parameters
    k.sizes = sizes
    return True


cdef inline bint find_kernel(const char* s, KernelEntry* k) noexcept nogil:
    """Look a kernel up by name. False if there is none."""
    # basic
    if entry(k, s, b"constant", NULL, NULL, constant_outputs, NULL, NULL, NULL, NULL, 0, 1, 1, 1): return True
    if entry(k, s, b"clock", NULL, NULL, clock_outputs, NULL, NULL, NULL, NULL, 0, 1, 0, 0): return True
    if entry(k, s, b"step", NULL, step_update, step_outputs, NULL, step_update, step_crossings, step_crossings, 0, 1, 3, 1): return True
    if entry(k, s, b"ramp", NULL, NULL, ramp_outputs, NULL, NULL, ramp_crossings, NULL, 0, 1, 3, 1): return True
    if entry(k, s, b"sine", NULL, NULL, sine_outputs, NULL, NULL, NULL, NULL, 0, 1, 4, 1): return True
    if entry(k, s, b"pulse", NULL, pulse_update, pulse_outputs, NULL, pulse_update, pulse_crossings, pulse_crossings, 0, 1, 4, 1): return True
    if entry(k, s, b"time_series", NULL, time_series_update, time_series_outputs, NULL, time_series_update, time_series_crossings, time_series_jumps, 0, 1, 3, 2): return True
    if entry(k, s, b"gaussian_noise", NULL, gaussian_noise_start, gaussian_noise_outputs, NULL, noise_update, NULL, NULL, 0, 1, 5, 1): return True
    if entry(k, s, b"uniform_noise", NULL, uniform_noise_start, uniform_noise_outputs, NULL, noise_update, NULL, NULL, 0, 1, 5, 1): return True
    if entry(k, s, b"white_noise", NULL, white_noise_start, white_noise_outputs, NULL, noise_update, NULL, NULL, 0, 1, 4, 1): return True
    if entry(k, s, b"gain", NULL, NULL, gain_outputs, NULL, NULL, NULL, NULL, 1, 1, 1, 1): return True
    if entry(k, s, b"matrix_gain", NULL, NULL, matrix_gain_outputs, NULL, NULL, NULL, NULL, 1, 1, 1, 2): return True
    if entry(k, s, b"sum", NULL, NULL, sum_outputs, NULL, NULL, NULL, NULL, -1, 1, 1, 2): return True
    if entry(k, s, b"product", NULL, NULL, product_outputs, NULL, NULL, NULL, NULL, -1, 1, 1, 2): return True
    if entry(k, s, b"min_max", NULL, NULL, min_max_outputs, NULL, NULL, min_max_crossings, NULL, -1, 1, 2, 2): return True
    if entry(k, s, b"function", NULL, NULL, function_outputs, NULL, NULL, function_crossings, NULL, 1, 1, 1, 1): return True
    if entry(k, s, b"atan2", NULL, NULL, atan2_outputs, NULL, NULL, NULL, NULL, 2, 1, 0, 1): return True
    if entry(k, s, b"wrap_angle", NULL, NULL, wrap_angle_outputs, NULL, NULL, wrap_angle_crossings, NULL, 1, 1, 1, 1): return True
    if entry(k, s, b"sign", NULL, NULL, held_outputs, NULL, sign_update, sign_crossings, NULL, 1, 1, 0, 1): return True
    if entry(k, s, b"rounding", NULL, NULL, held_outputs, NULL, rounding_update, rounding_crossings, NULL, 1, 1, 1, 1): return True
    if entry(k, s, b"compare", NULL, NULL, held_outputs, NULL, compare_update, compare_crossings, NULL, 2, 1, 1, 1): return True
    if entry(k, s, b"lookup_table_1d", NULL, NULL, lookup_table_1d_outputs, NULL, NULL, NULL, NULL, 1, 1, 3, 2): return True
    if entry(k, s, b"lookup_table_2d", NULL, NULL, lookup_table_2d_outputs, NULL, NULL, NULL, NULL, 2, 1, 4, 3): return True
    if entry(k, s, b"integrator", NULL, NULL, state_outputs, integrator_derivatives, NULL, NULL, NULL, 1, 1, 0, 1): return True
    if entry(k, s, b"limited_integrator", NULL, NULL, limited_integrator_outputs, limited_integrator_derivatives, limited_integrator_update, limited_integrator_crossings, NULL, 1, 1, 2, 1): return True
    if entry(k, s, b"first_order_lag", NULL, NULL, state_outputs, first_order_lag_derivatives, NULL, NULL, NULL, 1, 1, 1, 1): return True
    if entry(k, s, b"derivative", NULL, NULL, derivative_outputs, first_order_lag_derivatives, NULL, NULL, NULL, 1, 1, 1, 1): return True
    if entry(k, s, b"transfer_function", transfer_function_setup, NULL, transfer_function_outputs, transfer_function_derivatives, NULL, NULL, NULL, 1, 1, 2, 2): return True
    if entry(k, s, b"state_space", state_space_setup, NULL, state_space_outputs, state_space_derivatives, NULL, NULL, NULL, 1, 1, 4, 3): return True
    if entry(k, s, b"unit_delay", NULL, NULL, held_outputs, NULL, sample_update, NULL, NULL, 1, 1, 2, 1): return True
    if entry(k, s, b"delay", NULL, delay_start, delay_outputs, NULL, delay_update, NULL, NULL, 1, 1, 4, 2): return True
    if entry(k, s, b"zero_order_hold", NULL, NULL, zero_order_hold_outputs, NULL, NULL, NULL, NULL, 1, 1, 2, 1): return True
    if entry(k, s, b"discrete_integrator", NULL, NULL, discrete_integrator_outputs, NULL, discrete_integrator_update, NULL, NULL, 1, 1, 3, 1): return True
    if entry(k, s, b"saturation", NULL, NULL, saturation_outputs, NULL, NULL, limits_crossings, NULL, 1, 1, 2, 1): return True
    if entry(k, s, b"dead_zone", NULL, NULL, dead_zone_outputs, NULL, NULL, limits_crossings, NULL, 1, 1, 2, 1): return True
    if entry(k, s, b"quantizer", NULL, NULL, held_outputs, NULL, quantizer_update, quantizer_crossings, NULL, 1, 1, 1, 1): return True
    if entry(k, s, b"rate_limiter", NULL, rate_limiter_start, rate_limiter_outputs, NULL, rate_limiter_update, rate_limiter_crossings, NULL, 1, 1, 2, 1): return True
    if entry(k, s, b"mux", NULL, NULL, mux_outputs, NULL, NULL, NULL, NULL, -1, 1, 1, -1): return True
    if entry(k, s, b"demux", NULL, NULL, demux_outputs, NULL, NULL, NULL, NULL, 1, -1, 1, -1): return True
    if entry(k, s, b"selector", selector_setup, NULL, selector_outputs, NULL, NULL, NULL, NULL, 1, 1, 1, 2): return True
    if entry(k, s, b"switch", NULL, NULL, switch_outputs, NULL, switch_update, switch_crossings, NULL, 3, 1, 2, 1): return True
    # dynamics
    if entry(k, s, b"vessel_6dof_euler", vessel_6dof_setup, NULL, vessel_6dof_euler_outputs, vessel_6dof_euler_derivatives, NULL, NULL, NULL, 3, 7, 13, 1): return True
    if entry(k, s, b"vessel_6dof_quaternion", vessel_6dof_setup, vessel_6dof_quaternion_start, vessel_6dof_quaternion_outputs, vessel_6dof_quaternion_derivatives, NULL, NULL, NULL, 3, 7, 13, 1): return True
    if entry(k, s, b"vessel_6dof_velocity", vessel_6dof_setup, NULL, vessel_6dof_velocity_outputs, vessel_6dof_velocity_derivatives, NULL, NULL, NULL, 4, 7, 13, 1): return True
    if entry(k, s, b"vessel_6dof_complex_euler", vessel_6dof_complex_setup, NULL, vessel_6dof_euler_outputs, vessel_6dof_euler_derivatives, NULL, NULL, NULL, 3, 7, 14, 1): return True
    if entry(k, s, b"vessel_6dof_complex_quaternion", vessel_6dof_complex_setup, vessel_6dof_complex_quaternion_start, vessel_6dof_quaternion_outputs, vessel_6dof_quaternion_derivatives, NULL, NULL, NULL, 3, 7, 14, 1): return True
    if entry(k, s, b"vessel_6dof_complex_velocity", vessel_6dof_complex_setup, NULL, vessel_6dof_velocity_outputs, vessel_6dof_velocity_derivatives, NULL, NULL, NULL, 4, 7, 14, 1): return True
    if entry(k, s, b"vessel_3dof", vessel_3dof_setup, NULL, vessel_3dof_outputs, vessel_3dof_derivatives, NULL, NULL, NULL, 3, 7, 6, 0): return True
    if entry(k, s, b"vessel_3dof_diagonal", vessel_3dof_diagonal_setup, NULL, vessel_3dof_diagonal_outputs, vessel_3dof_diagonal_derivatives, NULL, NULL, NULL, 3, 7, 2, 0): return True
    if entry(k, s, b"floating_vehicle", floating_vehicle_setup, NULL, floating_vehicle_outputs, floating_vehicle_derivatives, NULL, NULL, NULL, 3, 7, 12, 0): return True
    if entry(k, s, b"nomoto_first", NULL, NULL, nomoto_first_outputs, nomoto_first_derivatives, NULL, NULL, NULL, 3, 7, 8, 0): return True
    if entry(k, s, b"nomoto_second", NULL, NULL, nomoto_second_outputs, nomoto_second_derivatives, NULL, NULL, NULL, 3, 7, 8, 0): return True
    if entry(k, s, b"kinematic_vehicle", NULL, NULL, kinematic_vehicle_outputs, kinematic_vehicle_derivatives, NULL, NULL, NULL, 3, 7, 2, 0): return True
    # thrust
    if entry(k, s, b"propeller_thrusters", propeller_thrusters_setup, NULL, propeller_thrusters_outputs, NULL, NULL, NULL, NULL, 2, 5, 20, 1): return True
    if entry(k, s, b"propeller_thrusters_lag", propeller_thrusters_setup, NULL, propeller_thrusters_outputs, propeller_thrusters_derivatives, NULL, NULL, NULL, 2, 5, 20, 1): return True
    if entry(k, s, b"thrust_allocation", thrust_allocation_setup, NULL, thrust_allocation_outputs, NULL, NULL, NULL, NULL, 2, 2, 16, 1): return True
    if entry(k, s, b"thrust_allocation_bounded", thrust_allocation_setup, NULL, thrust_allocation_bounded_outputs, NULL, NULL, NULL, NULL, 2, 2, 16, 1): return True
    if entry(k, s, b"azimuth_thrusters", NULL, NULL, azimuth_thrusters_outputs, NULL, NULL, NULL, NULL, 3, 5, 18, 1): return True
    if entry(k, s, b"azimuth_thrusters_lag", NULL, azimuth_thrusters_start, azimuth_thrusters_outputs, azimuth_thrusters_derivatives, NULL, NULL, NULL, 3, 5, 18, 1): return True
    if entry(k, s, b"differential_thrust", NULL, NULL, differential_thrust_outputs, NULL, NULL, NULL, NULL, 2, 4, 6, 0): return True
    if entry(k, s, b"foil", foil_setup, NULL, foil_outputs, NULL, NULL, NULL, NULL, 2, 5, 7, 0): return True
    if entry(k, s, b"rudder", NULL, NULL, rudder_outputs, NULL, NULL, NULL, NULL, -1, 5, 12, 0): return True
    if entry(k, s, b"rudder_lag", NULL, NULL, rudder_outputs, rudder_derivatives, NULL, NULL, NULL, -1, 5, 12, 0): return True
    if entry(k, s, b"sail", NULL, NULL, sail_outputs, NULL, NULL, NULL, NULL, 4, 6, 6, 0): return True
    if entry(k, s, b"air_fan", NULL, NULL, air_fan_outputs, NULL, NULL, NULL, NULL, 5, 5, 8, 0): return True
    if entry(k, s, b"measured_thruster", measured_thruster_setup, NULL, measured_thruster_outputs, NULL, NULL, NULL, NULL, 2, 4, 7, 2): return True
    if entry(k, s, b"azimuth_allocation", azimuth_allocation_setup, NULL, azimuth_allocation_outputs, NULL, NULL, NULL, NULL, 1, 3, 8, 1): return True
    if entry(k, s, b"azimuth_allocation_bounded", azimuth_allocation_setup, NULL, azimuth_allocation_bounded_outputs, NULL, NULL, NULL, NULL, 1, 3, 8, 1): return True
    if entry(k, s, b"tether", NULL, NULL, tether_outputs, NULL, NULL, NULL, NULL, 5, 3, 11, 1): return True
    # guidance
    if entry(k, s, b"line_of_sight", steering_setup, NULL, line_of_sight_outputs, NULL, line_of_sight_update, steering_crossings, NULL, 2, 6, 16, 1): return True
    if entry(k, s, b"line_of_sight_pi", integral_steering_setup, NULL, line_of_sight_outputs, line_of_sight_pi_derivatives, line_of_sight_update, steering_crossings, NULL, 2, 7, 16, 1): return True
    if entry(k, s, b"integral_line_of_sight", integral_steering_setup, NULL, integral_line_of_sight_outputs, integral_line_of_sight_derivatives, integral_line_of_sight_update, steering_crossings, NULL, 2, 7, 13, 1): return True
    if entry(k, s, b"adaptive_line_of_sight", steering_setup, NULL, adaptive_line_of_sight_outputs, adaptive_line_of_sight_derivatives, adaptive_line_of_sight_update, steering_crossings, NULL, 2, 7, 13, 1): return True
    if entry(k, s, b"line_of_sight_3d", line_of_sight_3d_setup, NULL, line_of_sight_3d_outputs, NULL, line_of_sight_3d_update, line_of_sight_3d_crossings, NULL, 2, 8, 17, 1): return True
    if entry(k, s, b"adaptive_line_of_sight_3d", line_of_sight_3d_setup, NULL, line_of_sight_3d_outputs, line_of_sight_3d_derivatives, line_of_sight_3d_update, line_of_sight_3d_crossings, NULL, 2, 10, 17, 1): return True
    if entry(k, s, b"course_line", course_line_setup, NULL, course_line_outputs, NULL, NULL, NULL, NULL, 1, 2, 3, 0): return True
    if entry(k, s, b"zigzag_steering", NULL, NULL, zigzag_steering_outputs, NULL, zigzag_steering_update, zigzag_steering_crossings, NULL, 1, 3, 5, 0): return True
    if entry(k, s, b"curved_path", curved_path_setup, NULL, path_following_outputs, path_following_derivatives, path_following_update, path_following_crossings, NULL, 2, 8, 12, 1): return True
    if entry(k, s, b"dubins_path", dubins_path_setup, NULL, path_following_outputs, path_following_derivatives, path_following_update, path_following_crossings, NULL, 2, 8, 13, 1): return True
    if entry(k, s, b"minimum_snap_trajectory", minimum_snap_setup, minimum_snap_update, minimum_snap_outputs, NULL, minimum_snap_update, minimum_snap_crossings, NULL, 0, 12, 8, 1): return True
    if entry(k, s, b"target_tracking", NULL, NULL, target_tracking_outputs, NULL, NULL, NULL, NULL, 3, 4, 4, 0): return True
    if entry(k, s, b"station_keeping", NULL, NULL, station_keeping_outputs, NULL, station_keeping_update, station_keeping_crossings, NULL, 1, 5, 5, 0): return True
    if entry(k, s, b"reference_model", NULL, NULL, reference_model_outputs, reference_model_derivatives, NULL, NULL, NULL, 1, 3, 6, 1): return True
    if entry(k, s, b"reference_model_measured", NULL, NULL, reference_model_measured_outputs, reference_model_measured_derivatives, reference_model_measured_update, NULL, NULL, 2, 3, 6, 1): return True
    # navigation
    if entry(k, s, b"geodetic_position", geodetic_setup, NULL, geodetic_position_outputs, NULL, NULL, NULL, NULL, 1, 3, 5, 0): return True
    if entry(k, s, b"local_position", geodetic_setup, NULL, local_position_outputs, NULL, NULL, NULL, NULL, 3, 1, 5, 0): return True
    if entry(k, s, b"heading_filter", NULL, heading_filter_start, heading_filter_outputs, NULL, heading_filter_update, NULL, NULL, 3, 4, 8, 0): return True
    if entry(k, s, b"heading_filter_steady", heading_filter_steady_setup, NULL, heading_filter_steady_outputs, NULL, heading_filter_steady_update, NULL, NULL, 3, 4, 8, 0): return True
    if entry(k, s, b"navigation_filter", NULL, navigation_filter_start, navigation_filter_outputs, NULL, navigation_filter_update, NULL, NULL, 8, 5, 10, 0): return True
    # sensors
    if entry(k, s, b"compass", NULL, compass_start, compass_outputs, NULL, compass_update, NULL, NULL, 1, 1, 8, 1): return True
    if entry(k, s, b"depth_gauge", NULL, depth_gauge_start, depth_gauge_outputs, NULL, depth_gauge_update, NULL, NULL, 1, 1, 9, 1): return True
    if entry(k, s, b"doppler_log", NULL, doppler_log_start, doppler_log_outputs, NULL, doppler_log_update, NULL, NULL, 1, 1, 10, 1): return True
    if entry(k, s, b"gnss", gnss_setup, gnss_start, gnss_outputs, NULL, gnss_update, NULL, NULL, 3, 8, 17, 1): return True
    if entry(k, s, b"imu", imu_setup, imu_start, imu_outputs, NULL, imu_update, NULL, NULL, 3, 2, 17, 1): return True
    # control
    if entry(k, s, b"pid", pid_setup, NULL, pid_outputs, pid_derivatives, pid_update, NULL, NULL, -1, 2, 11, 1): return True
    if entry(k, s, b"pid_unfiltered", pid_setup, NULL, pid_unfiltered_outputs, pid_unfiltered_derivatives, NULL, NULL, NULL, -1, 2, 11, 1): return True
    if entry(k, s, b"gain_scheduled_pid", gain_scheduled_pid_setup, NULL, gain_scheduled_pid_outputs, gain_scheduled_pid_derivatives, pid_update, NULL, NULL, -1, 2, 12, 2): return True
    if entry(k, s, b"gain_scheduled_pid_unfiltered", gain_scheduled_pid_setup, NULL, gain_scheduled_pid_unfiltered_outputs, gain_scheduled_pid_unfiltered_derivatives, NULL, NULL, NULL, -1, 2, 12, 2): return True
    if entry(k, s, b"heading_autopilot", NULL, NULL, heading_autopilot_outputs, heading_autopilot_derivatives, NULL, NULL, NULL, 5, 2, 9, 0): return True
    if entry(k, s, b"integral_sliding_mode", NULL, NULL, integral_sliding_mode_outputs, integral_sliding_mode_derivatives, NULL, NULL, NULL, 5, 3, 11, 0): return True
    if entry(k, s, b"speed_controller", NULL, NULL, speed_controller_outputs, speed_controller_derivatives, NULL, NULL, NULL, 3, 2, 8, 0): return True
    if entry(k, s, b"depth_controller", NULL, NULL, depth_controller_outputs, depth_controller_derivatives, NULL, NULL, NULL, 5, 2, 9, 0): return True
    if entry(k, s, b"dive_plane_controller", NULL, NULL, dive_plane_controller_outputs, dive_plane_controller_derivatives, NULL, NULL, NULL, 3, 3, 9, 0): return True
    if entry(k, s, b"dynamic_positioning", dynamic_positioning_setup, NULL, dynamic_positioning_outputs, dynamic_positioning_derivatives, NULL, NULL, NULL, 5, 2, 8, 1): return True
    if entry(k, s, b"compose_wrench", NULL, NULL, compose_wrench_outputs, NULL, NULL, NULL, NULL, 6, 1, 0, 0): return True
    # environment
    if entry(k, s, b"uniform_current", uniform_current_setup, NULL, uniform_current_outputs, NULL, NULL, NULL, NULL, 0, 1, 3, 0): return True
    if entry(k, s, b"gauss_markov_current", gauss_markov_current_setup, gauss_markov_current_start, gauss_markov_current_outputs, NULL, gauss_markov_current_update, NULL, NULL, 0, 1, 14, 0): return True
    if entry(k, s, b"sheared_current", sheared_current_setup, NULL, sheared_current_outputs, NULL, NULL, NULL, NULL, 1, 1, 3, 1): return True
    if entry(k, s, b"power_law_current", power_law_current_setup, NULL, power_law_current_outputs, NULL, NULL, NULL, NULL, 1, 1, 4, 0): return True
    if entry(k, s, b"current_field", NULL, NULL, current_field_outputs, NULL, NULL, NULL, NULL, 1, 1, 9, 4): return True
    if entry(k, s, b"gusting_wind", gusting_wind_setup, NULL, gusting_wind_outputs, NULL, NULL, NULL, NULL, 0, 1, 8, 1): return True
    if entry(k, s, b"wind_field", NULL, NULL, wind_field_outputs, NULL, NULL, NULL, NULL, 1, 1, 8, 3): return True
    if entry(k, s, b"uniform_wind", uniform_wind_setup, NULL, uniform_wind_outputs, NULL, NULL, NULL, NULL, 0, 1, 2, 0): return True
    if entry(k, s, b"wind_load", wind_load_setup, NULL, wind_load_outputs, NULL, NULL, NULL, NULL, 3, 1, 8, 0): return True
    if entry(k, s, b"pierson_moskowitz_sea", pierson_moskowitz_sea_setup, NULL, sea_outputs, NULL, NULL, NULL, NULL, 0, 1, 12, 1): return True
    if entry(k, s, b"bretschneider_sea", bretschneider_sea_setup, NULL, sea_outputs, NULL, NULL, NULL, NULL, 0, 1, 14, 1): return True
    if entry(k, s, b"jonswap_sea", jonswap_sea_setup, NULL, sea_outputs, NULL, NULL, NULL, NULL, 0, 1, 14, 1): return True
    if entry(k, s, b"torsethaugen_sea", torsethaugen_sea_setup, NULL, sea_outputs, NULL, NULL, NULL, NULL, 0, 1, 13, 1): return True
    if entry(k, s, b"tabulated_sea", tabulated_sea_setup, NULL, sea_outputs, NULL, NULL, NULL, NULL, 0, 1, 11, 2): return True
    if entry(k, s, b"regular_wave", regular_wave_setup, NULL, regular_wave_outputs, NULL, NULL, NULL, NULL, 0, 1, 6, 1): return True
    if entry(k, s, b"sea_surface", NULL, NULL, sea_surface_outputs, NULL, NULL, NULL, NULL, 2, 4, 2, 1): return True
    if entry(k, s, b"wave_gauges", NULL, NULL, wave_gauges_outputs, NULL, NULL, NULL, NULL, 1, 1, 1, 2): return True
    if entry(k, s, b"wave_load", NULL, NULL, wave_load_outputs, NULL, NULL, NULL, NULL, 2, 1, 8, 1): return True
    if entry(k, s, b"wave_force_rao", wave_force_rao_setup, NULL, wave_force_rao_outputs, NULL, NULL, NULL, NULL, 2, 2, 5, 3): return True
    # power
    if entry(k, s, b"energy_meter", NULL, NULL, energy_meter_outputs, energy_meter_derivatives, NULL, NULL, NULL, 1, 2, 0, 1): return True
    if entry(k, s, b"thrust_power", NULL, NULL, thrust_power_outputs, NULL, NULL, NULL, NULL, 6, 6, 0, 0): return True
    if entry(k, s, b"shaft_power", NULL, NULL, shaft_power_outputs, NULL, NULL, NULL, NULL, 2, 2, 6, 1): return True
    if entry(k, s, b"shaft_power_table", NULL, NULL, shaft_power_table_outputs, NULL, NULL, NULL, NULL, 1, 2, 2, 2): return True
    if entry(k, s, b"electric_motor", NULL, NULL, electric_motor_outputs, NULL, NULL, NULL, NULL, 2, 3, 4, 1): return True
    if entry(k, s, b"electric_drive", NULL, NULL, electric_drive_outputs, NULL, NULL, NULL, NULL, 1, 2, 5, 2): return True
    if entry(k, s, b"hotel_load", NULL, NULL, hotel_load_outputs, NULL, NULL, NULL, NULL, 1, 1, 1, 1): return True
    if entry(k, s, b"battery", NULL, NULL, battery_outputs, battery_derivatives, battery_update, battery_crossings, NULL, 1, 5, 8, 2): return True
    return False
