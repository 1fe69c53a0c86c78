"""Fields and forces from files that others wrote."""
