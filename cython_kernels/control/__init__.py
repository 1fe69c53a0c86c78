"""Kernels of `blocks.control`."""
