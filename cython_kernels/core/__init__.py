"""What runs a plan: its memory, solvers, events and saved states."""
