"""The compiled libraries that this process has opened: what a plan may ask for beside the kernels of the registry."""

from cython_kernels.view cimport KernelEntry


cdef bint find_library_kernel(const char* name, KernelEntry* k) noexcept nogil
