"""Kernels of `blocks.power`."""
