"""Kernels of the thrust blocks."""

from cython_kernels.allocation cimport *
from cython_kernels.azimuth cimport *
from cython_kernels.azimuth_allocation cimport *
from cython_kernels.azimuth_allocation_bounded cimport *
from cython_kernels.differential_thrust cimport *
from cython_kernels.foil cimport *
from cython_kernels.measured_thruster cimport *
from cython_kernels.propeller_thrusters cimport *
from cython_kernels.sail cimport *
from cython_kernels.tether cimport *
