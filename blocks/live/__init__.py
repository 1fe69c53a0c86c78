"""A simulation that others can touch while it runs: in real time, from a terminal, a notebook, a socket, a file."""
