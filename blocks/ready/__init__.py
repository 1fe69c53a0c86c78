"""To begin with: the examples, scenarios for the vehicles of the library, and vehicles from a few numbers."""
