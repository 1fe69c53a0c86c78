"""Changes lines of kernels and of Python, one at a time, and asks which tests notice: see README.md."""
