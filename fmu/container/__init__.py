"""A diagram with FMUs from elsewhere as one FMU, which holds them: a container, by the FMU Manipulation Toolbox."""
