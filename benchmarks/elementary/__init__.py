"""The elementary functions of the engine: how far from the true values, and how fast beside the C library's."""
