"""Compiled kernels and the engine that runs them. See `view.pxd` for what a kernel is."""
