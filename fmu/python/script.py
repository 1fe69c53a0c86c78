"""The script of a PythonFMU slave: what the wrapper imports first, on a Python of which nothing is known yet."""

from __future__ import annotations

from fmu.python.requirements import Requirements

# The wrapper for FMI 2 imports the script and then runs it once more in the same namespace, for every instance, and
# releases the namespace once too often each time: hence the reference that each run adds, and one class for all runs.
_FMI2 = '''\
"""The slave of an FMU that Keelblocks exported. PythonFMU runs this file."""

import ctypes
import sys

try:
    if sys.version_info < ({python}):
        raise ImportError("this is Python " + sys.version.split()[0])
    from fmu.python.fmi2_slave import Fmi2Slave
except Exception as problem:
    PROBLEM = {message} % (sys.version.split()[0], sys.prefix, type(problem).__name__, problem)

    class Fmi2Slave(object):
        def __init__(self, **given):
            raise ImportError(PROBLEM)


ctypes.pythonapi.Py_IncRef(ctypes.py_object(globals()))
Model = globals().get("Model") or type("Model", (Fmi2Slave,), {{}})
'''

# The wrapper for FMI 3 finds the class by the line that defines it.
_FMI3 = '''\
"""The slave of an FMU that Keelblocks exported. PythonFMU3 runs this file."""

import sys

try:
    if sys.version_info < ({python}):
        raise ImportError("this is Python " + sys.version.split()[0])
    from fmu.python.fmi3_slave import Fmi3Slave
except Exception as problem:
    PROBLEM = {message} % (sys.version.split()[0], sys.prefix, type(problem).__name__, problem)

    class Fmi3Slave(object):
        def __init__(self, **given):
            raise ImportError(PROBLEM)


class Model(Fmi3Slave):
    pass
'''


def slave_script(fmi: str, needed: Requirements) -> str:
    """The script. It says what is missing, and how to install it, on a Python that cannot run the model."""
    message = (
        f"this FMU {str(needed).replace('%', '%%')}; the Python of this process (%s at %s) does not have that: %s: %s. "
        f"Install it there with: {needed.command}".replace("≥", ">=")
    )
    template = _FMI3 if fmi == "3.0" else _FMI2
    return template.format(python=needed.python.replace(".", ", "), message=ascii(message))
