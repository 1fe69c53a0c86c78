"""What an exported FMU consists of: its model and variables, their description in the words of FMI 2 and 3, resources,
documentation, drawings, sources and archive. `fmu/export.py` puts it together.

The folder is not called `export`, because `fmu.export` is the function.
"""
