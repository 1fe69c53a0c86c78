"""Kernels of `blocks.thrust`."""
