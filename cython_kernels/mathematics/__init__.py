"""What kernels share and that knows nothing of blocks."""
