"""Kernels of the thrust blocks."""

from cython_kernels.allocation cimport *
from cython_kernels.propeller_thrusters cimport *
