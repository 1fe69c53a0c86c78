"""Kernels of the dynamics blocks."""

from cython_kernels.vessel_3dof cimport *
from cython_kernels.vessel_6dof cimport *
