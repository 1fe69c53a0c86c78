"""What tools that no one here wrote say of an FMU's description: FMPy's validation and `fmutool -check`."""

from __future__ import annotations

import logging
import re
from functools import cache
from pathlib import Path
from unittest.mock import patch

import xmlschema
from fmpy.validation import validate_fmu
from fmu_manipulation_toolbox import checker
from fmu_manipulation_toolbox.operations import FMU, FMUError
from lark import Lark

_LOGGER = logging.getLogger("fmu_manipulation_toolbox")


class _Complaints(logging.Handler):
    """Keeps what the toolbox logs as a warning or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


def complaints(path: Path) -> list[str]:
    """All that either tool finds wrong."""
    return [*_fmpy(path), *_fmutool(path)]


# Both tools take most of their time for what is the same in all FMUs: names of the same form, reading the schema, and
# going through all that is installed for further checkers.


class _Names:
    """FMPy's grammar of variable names. Names that differ in letters and digits only are equally legal by it."""

    def __init__(self, grammar: str, **options: str) -> None:
        self.parser = Lark(grammar, **options)
        self.legal: set[str] = set()

    def parse(self, name: str) -> None:
        form = re.sub(r"\d+", "1", re.sub(r"[A-Za-z_]+", "a", name)) if name.isascii() and "(" not in name else name
        if form not in self.legal:
            self.parser.parse(name)  # raises an error if it is not legal
            self.legal.add(form)


_names = cache(_Names)


def _fmpy(path: Path) -> list[str]:
    """What `fmpy validate` says."""
    with patch("lark.Lark", _names):
        return validate_fmu(str(path))


_schema = cache(xmlschema.XMLSchema)
_checkers = cache(checker.get_checkers)


def _fmutool(path: Path) -> list[str]:
    """What `fmutool -check` says: warnings and errors of all its checkers."""
    heard = _Complaints()
    _LOGGER.addHandler(heard)
    try:
        with FMU(str(path)) as unpacked, patch.object(checker.xmlschema, "XMLSchema", _schema):
            for check in _checkers():
                unpacked.apply_operation(check())
    except FMUError as problem:
        heard.texts.append(problem.reason)
    finally:
        _LOGGER.removeHandler(heard)
    return heard.texts
