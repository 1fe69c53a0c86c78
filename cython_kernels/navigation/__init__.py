"""Kernels of `blocks.navigation`."""
