"""Kernels of `blocks.environment`."""
