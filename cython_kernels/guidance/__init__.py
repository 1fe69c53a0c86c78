"""Kernels of `blocks.guidance`."""
