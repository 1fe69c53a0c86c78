"""Load the binary of an FMU, through FMPy."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Iterator
from ctypes import c_int
from pathlib import Path
from typing import Any

from fmpy.fmi1 import FMICallException

from blocks.errors import FmuError
from cython_kernels.engine import processor_arithmetic, set_processor_arithmetic
from fmu.foreign.elf import is_cut_off
from fmu.foreign.spec import Spec
from fmu.foreign.versions import fmpy_class
from fmu.foreign.versions.dialect import GOOD

_one_at_a_time = threading.Lock()
"""FMPy changes the working directory while it loads a library, and that is one for all threads."""


@contextlib.contextmanager
def _same_arithmetic() -> Iterator[None]:
    """Rounding, and what becomes of very small numbers, is afterwards as it was: a binary may change that for all."""
    before = processor_arithmetic()
    try:
        yield
    finally:
        set_processor_arithmetic(before)


@functools.cache
def _checked(cls: Any) -> Any:
    """A class of FMPy of which every call fails with a status that is not good. (FMPy lets negative ones pass.)

    Calls leave the processor's arithmetic as it was.
    """

    class Checked(cls):  # type: ignore[misc]
        def _call(self, name: str, *arguments: Any) -> Any:
            with _same_arithmetic():
                result = super()._call(name, *arguments)
            if self._functions[name].restype is c_int and result not in GOOD:
                raise FMICallException(function=name, status=result)
            return result

    Checked.__name__ = cls.__name__  # by which FMPy knows the version of FMI
    return Checked


def load(spec: Spec, name: str) -> Any:
    """FMPy's object for an instance with this name. Raises FmuError if the binary cannot be loaded."""
    cls = _checked(fmpy_class(spec))
    if any(is_cut_off(file) for file in Path(spec.folder, "binaries").rglob(f"{spec.identifier}.so")):
        raise FmuError(f"{spec.file}: its binary cannot be loaded: it is cut off")
    with _one_at_a_time, _same_arithmetic():
        here = Path.cwd()
        try:
            return cls(guid=spec.token, modelIdentifier=spec.identifier, unzipDirectory=spec.folder, instanceName=name)
        except AttributeError as problem:
            raise FmuError(f"{spec.file}: its binary lacks a function that FMI wants: {problem}") from None
        except Exception as problem:  # FMPy raises plain ones
            reason = str(problem).replace(spec.folder + os.sep, "")
            raise FmuError(f"{spec.file}: its binary cannot be loaded: {reason}") from None
        finally:
            os.chdir(here)
