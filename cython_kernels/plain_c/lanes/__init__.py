"""The engine's C for several members at once: what is a number there is one number per member here, a lane of a vector."""
