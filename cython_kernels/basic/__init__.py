"""Kernels of `blocks.basic`."""
