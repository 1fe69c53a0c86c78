"""The files inside an SSP: structure, parameter sets, geometry, and what single tools want to be told."""
