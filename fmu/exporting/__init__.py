"""From a component to the file of an FMU. The folder is not called `export`, because `fmu.export` is the function."""
