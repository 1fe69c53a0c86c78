"""Kernels see names: from the declarations of blocks to what Cython compiles.

`python blocks/kernel_views` writes, for `setup.py` and before anything is compiled,

    cython_kernels/views/<family>/<module>.pxd      what the kernels of blocks/<family>/<module>.py see: `PIDView`, …
    cython_kernels/entries/<family>/<module>.pxd    what the engine calls: from its own view to that with names
    cython_kernels/registry.pxd                     every kernel by name

none of which is in git. A file that would be the same is left alone, so that nothing is compiled for nothing.
"""
