"""The engine's C for several members at once: a number there is a vector here, with a lane for each member."""
