"""Estimates where nothing was measured: each one function, with its source and its range of validity."""

from blocks.estimates.cross_flow import cross_flow_coefficient
from blocks.estimates.damping import damping_from_times
from blocks.estimates.frames import frame_added_mass, share_of_open_frame
from blocks.estimates.propellers import efficiency, open_water, propeller_parameters
from blocks.estimates.rigid_body import rigid_body_inertia
from blocks.estimates.seas import wind_of_sea, wind_sea
from blocks.estimates.sections import LewisSection, strip_added_mass
from blocks.estimates.ship_resistance import (
    form_factor,
    ittc_friction,
    quadratic_resistance,
    resistance,
    wetted_surface,
)
from blocks.estimates.spheroid import spheroid_added_mass, spheroid_factors
from blocks.estimates.stability import Hydrostatics, hydrostatics
from blocks.estimates.steering import SteeringDerivatives, clarke, inoue, norrbin, wagner_smitt
from blocks.estimates.stern import rudder_area, rudder_hull_force, rudder_lift_slope, thrust_deduction, wake_fraction
from blocks.estimates.surge import surge_added_mass
from blocks.estimates.validity import EstimateWarning

__all__ = [
    "EstimateWarning", "Hydrostatics", "LewisSection", "SteeringDerivatives", "clarke", "cross_flow_coefficient",
    "damping_from_times", "efficiency", "form_factor", "frame_added_mass", "hydrostatics", "inoue", "ittc_friction",
    "norrbin", "open_water", "propeller_parameters", "quadratic_resistance", "resistance", "rigid_body_inertia",
    "rudder_area", "rudder_hull_force", "rudder_lift_slope", "share_of_open_frame", "spheroid_added_mass",
    "spheroid_factors", "strip_added_mass", "surge_added_mass", "thrust_deduction", "wagner_smitt", "wake_fraction",
    "wetted_surface", "wind_of_sea", "wind_sea",
]  # fmt: skip
