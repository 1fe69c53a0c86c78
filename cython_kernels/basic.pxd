"""Kernels of the general blocks, in groups as Simulink users know them."""

from cython_kernels.basic_continuous cimport *
from cython_kernels.basic_discontinuities cimport *
from cython_kernels.basic_discrete cimport *
from cython_kernels.basic_lookup cimport *
from cython_kernels.basic_math cimport *
from cython_kernels.basic_routing cimport *
from cython_kernels.basic_sources cimport *
