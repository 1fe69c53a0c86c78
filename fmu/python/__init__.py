"""FMUs of diagrams with blocks written in Python: they run on the Python of the target, through PythonFMU.

At export: `modules` finds the source of the blocks' classes, `slices` cuts scripts down to it, `imports` moves it into
a package of a unique name, `requirements` says what the target needs, `table` writes down what the slave has to know,
`wrappers` brings the binaries and `export` puts the files together. On the target: `script` is run first, `instance`
runs the plan, `fmi2_slave` is its face for PythonFMU.
"""
