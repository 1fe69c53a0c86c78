"""Compile and link the FMU runtime. `setup.py` uses it before anything is installed: see `build_backend.py`."""
