"""What of the engine is one for all members of a group, and what `driver.h` has of it, where they are told apart."""

from cython_kernels.plain_c.lanes.types import INT, VOID, D

CONTROL = {"Plan", "Header", "Clock", "Failure", "Task", "KernelEntry", "Recorder", "Summary", "Detour"}
"""Structs of the engine: what they hold is one for all members, but for arrays of values."""
ONE_FOR_ALL = {("Plan", "given"): D, ("Plan", "series"): D, ("Recorder", "time"): D, ("Plan", "due"): INT}
_NOTHING = (
    *("take_outputs", "take_continuous_outputs", "take_minors", "take_derivatives", "take_samples", "follow_inputs"),
    *("watch", "keep"),
)
_WHOLE = (
    *("modes_changed", "faulty", "is_stopped", "states_are_finite", "write_record", "plan_setup", "not_finite"),
    *("cuts", "adaptive_way"),
)
_INSTANT = ("hit_time", "next_jump")
BY_HAND = dict.fromkeys(_NOTHING, VOID) | dict.fromkeys(_WHOLE, INT) | dict.fromkeys(_INSTANT, D)
"""Functions of the engine that are written by hand for lanes, in `driver.h`, and what they return."""
AS_EVER = ("kb_take_ieee_arithmetic", "kb_put_arithmetic_back")
"""Functions that have nothing to do with members."""
