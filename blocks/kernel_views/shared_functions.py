"""Kernels some of whose functions are those of others: each kernel's own name is yet to be given to them.

A kernel whose functions take a view with names has no place here: what it shares is called by functions of its own.
"""

SHARED: dict[str, dict[str, str]] = {
    "line_of_sight": {"setup": "steering_setup", "crossings": "steering_crossings"},
    "line_of_sight_pi": {
        "setup": "integral_steering_setup",
        "outputs": "line_of_sight_outputs",
        "update": "line_of_sight_update",
        "crossings": "steering_crossings",
    },
    "integral_line_of_sight": {"setup": "integral_steering_setup", "crossings": "steering_crossings"},
    "adaptive_line_of_sight": {"setup": "steering_setup", "crossings": "steering_crossings"},
    "adaptive_line_of_sight_3d": {
        "setup": "line_of_sight_3d_setup",
        "outputs": "line_of_sight_3d_outputs",
        "derivatives": "line_of_sight_3d_derivatives",
        "update": "line_of_sight_3d_update",
        "crossings": "line_of_sight_3d_crossings",
    },
    "curved_path": {
        "outputs": "path_following_outputs",
        "derivatives": "path_following_derivatives",
        "update": "path_following_update",
        "crossings": "path_following_crossings",
    },
    "dubins_path": {
        "outputs": "path_following_outputs",
        "derivatives": "path_following_derivatives",
        "update": "path_following_update",
        "crossings": "path_following_crossings",
    },
    "minimum_snap_trajectory": {
        "setup": "minimum_snap_setup",
        "start": "minimum_snap_update",
        "outputs": "minimum_snap_outputs",
        "update": "minimum_snap_update",
        "crossings": "minimum_snap_crossings",
    },
    "line_of_sight_3d": {"derivatives": ""},
}
"""kernel -> kind of function -> the function that does it, "" where its own is only for another one."""
