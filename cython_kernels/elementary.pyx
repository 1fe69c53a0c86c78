"""The elementary functions of the engine for Python, as ufuncs of numpy."""

cimport cython

cimport cython_kernels.mathematics.elementary.exponential as exponential
cimport cython_kernels.mathematics.elementary.hyperbolic as hyperbolic
cimport cython_kernels.mathematics.elementary.inverse_trigonometric as inverse_trigonometric
cimport cython_kernels.mathematics.elementary.logarithmic as logarithmic
cimport cython_kernels.mathematics.elementary.power as power
cimport cython_kernels.mathematics.elementary.trigonometric as trigonometric


@cython.ufunc
cdef double sin(double x) noexcept nogil:
    return trigonometric.sin(x)


@cython.ufunc
cdef double cos(double x) noexcept nogil:
    return trigonometric.cos(x)


@cython.ufunc
cdef double tan(double x) noexcept nogil:
    return trigonometric.tan(x)


@cython.ufunc
cdef double asin(double x) noexcept nogil:
    return inverse_trigonometric.asin(x)


@cython.ufunc
cdef double acos(double x) noexcept nogil:
    return inverse_trigonometric.acos(x)


@cython.ufunc
cdef double atan(double x) noexcept nogil:
    return inverse_trigonometric.atan(x)


@cython.ufunc
cdef double exp(double x) noexcept nogil:
    return exponential.exp(x)


@cython.ufunc
cdef double expm1(double x) noexcept nogil:
    return exponential.expm1(x)


@cython.ufunc
cdef double log(double x) noexcept nogil:
    return logarithmic.log(x)


@cython.ufunc
cdef double log10(double x) noexcept nogil:
    return logarithmic.log10(x)


@cython.ufunc
cdef double cbrt(double x) noexcept nogil:
    return power.cbrt(x)


@cython.ufunc
cdef double sinh(double x) noexcept nogil:
    return hyperbolic.sinh(x)


@cython.ufunc
cdef double cosh(double x) noexcept nogil:
    return hyperbolic.cosh(x)


@cython.ufunc
cdef double tanh(double x) noexcept nogil:
    return hyperbolic.tanh(x)


@cython.ufunc
cdef double atan2(double y, double x) noexcept nogil:
    return inverse_trigonometric.atan2(y, x)


@cython.ufunc
cdef double pow(double x, double y) noexcept nogil:
    return power.pow(x, y)
