"""Kinds of damage. Each takes a source of random numbers, a file, and others of its kind."""
