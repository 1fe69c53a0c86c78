"""Kernels of `blocks.dynamics`."""
