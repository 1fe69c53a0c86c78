"""Compiled libraries of blocks of one's own: built, found, opened."""
