"""Kernel that puts a wrench together."""

from cython_kernels.views.control.wrench cimport ComposeWrenchView


cdef inline void compose_wrench_outputs(const ComposeWrenchView* b, double t) noexcept nogil:
    """y: (X, Y, Z, K, M, N)."""
    b.y.force[0] = b.u.X[0]
    b.y.force[1] = b.u.Y[0]
    b.y.force[2] = b.u.Z[0]
    b.y.force[3] = b.u.K[0]
    b.y.force[4] = b.u.M[0]
    b.y.force[5] = b.u.N[0]
