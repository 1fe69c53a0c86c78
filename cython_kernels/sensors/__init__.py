"""Kernels of `blocks.sensors`."""
