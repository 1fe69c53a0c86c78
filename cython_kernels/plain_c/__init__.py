"""The engine as C that needs no Python."""
