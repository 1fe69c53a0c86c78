"""Kernels, all but the first with a fault."""

from planted.views.compiled cimport BlindView, DivergingView, ForgetfulView, ProperView, RememberingView, SecretView

cdef extern from *:
    """
    static double planted_calls;
    """
    double planted_calls


cdef inline void proper_outputs(const ProperView* b, double t) noexcept nogil:
    b.y.force[0] = b.p.stiffness[0] * b.x.x[0]


cdef inline void proper_derivatives(const ProperView* b, double t) noexcept nogil:
    b.dx.x[0] = b.u.speed[0]


cdef inline void secret_outputs(const SecretView* b, double t) noexcept nogil:
    b.y.force[0] = b.p.stiffness[0] * b.x.x[0] + b.u.speed[0]


cdef inline void secret_derivatives(const SecretView* b, double t) noexcept nogil:
    b.dx.x[0] = b.u.speed[0]


cdef inline void diverging_outputs(const DivergingView* b, double t) noexcept nogil:
    b.y.force[0] = b.p.stiffness[0] * b.x.x[0]


cdef inline void diverging_derivatives(const DivergingView* b, double t) noexcept nogil:
    b.dx.x[0] = b.u.speed[0] / (b.p.stiffness[0] - b.p.stiffness[0])


cdef inline void remembering_outputs(const RememberingView* b, double t) noexcept nogil:
    global planted_calls
    planted_calls = planted_calls + 1.0
    b.y.force[0] = b.p.stiffness[0] * b.x.x[0] + planted_calls


cdef inline void remembering_derivatives(const RememberingView* b, double t) noexcept nogil:
    b.dx.x[0] = b.u.speed[0]


cdef inline void blind_outputs(const BlindView* b, double t) noexcept nogil:
    b.y.force[0] = b.p.stiffness[0] * b.x.x[0]
    b.y.damping[0] = b.p.stiffness[0] * b.u.speed[0]


cdef inline void blind_derivatives(const BlindView* b, double t) noexcept nogil:
    b.dx.x[0] = b.u.speed[0]


cdef inline void forgetful_outputs(const ForgetfulView* b, double t) noexcept nogil:
    b.y.force[0] = (b.p.table[0] + b.p.table[1] + b.p.table[2]) / 3.0
