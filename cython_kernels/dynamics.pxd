"""Kernels of the dynamics blocks."""

from cython_kernels.floating_vehicle cimport *
from cython_kernels.kinematic_vehicle cimport *
from cython_kernels.nomoto cimport *
from cython_kernels.vessel_3dof cimport *
from cython_kernels.vessel_6dof cimport *
from cython_kernels.vessel_6dof_setup cimport *
