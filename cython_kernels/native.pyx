"""What a program without Python needs of the engine; `standalone.py` writes it, and all it uses, as C."""

from cython_kernels.core.calls cimport take_crossings
from cython_kernels.core.detour cimport come_back, detour_open, detour_size
from cython_kernels.core.differences cimport extrapolated, plan_differences
from cython_kernels.core.engine cimport plan_advance, plan_refresh, plan_setup, plan_start
from cython_kernels.core.evaluate cimport (
    commit, continuous_outputs, evaluate, mark_due, modes_changed, right_hand_side,
)
from cython_kernels.core.external cimport event_evaluation, held_evaluation, next_hit_time
from cython_kernels.core.loader cimport plan_memory, plan_open, plan_open_among
from cython_kernels.core.saved_state cimport hits_are_ahead, plan_restore, plan_save, plan_state_size


cdef void entry_points(void** functions) noexcept nogil:
    """Named here, or Cython would leave them out."""
    functions[0] = <void*>plan_memory
    functions[1] = <void*>plan_open
    functions[2] = <void*>plan_setup
    functions[3] = <void*>plan_start
    functions[4] = <void*>plan_refresh
    functions[5] = <void*>plan_advance
    functions[6] = <void*>plan_state_size
    functions[7] = <void*>plan_save
    functions[8] = <void*>plan_restore
    functions[9] = <void*>evaluate
    functions[10] = <void*>commit
    functions[11] = <void*>right_hand_side
    functions[12] = <void*>continuous_outputs
    functions[13] = <void*>take_crossings
    functions[14] = <void*>held_evaluation
    functions[15] = <void*>event_evaluation
    functions[16] = <void*>next_hit_time
    functions[17] = <void*>modes_changed
    functions[18] = <void*>mark_due
    functions[19] = <void*>hits_are_ahead
    functions[20] = <void*>plan_differences
    functions[21] = <void*>extrapolated
    functions[22] = <void*>come_back
    functions[23] = <void*>detour_open
    functions[24] = <void*>detour_size
    functions[25] = <void*>plan_open_among
