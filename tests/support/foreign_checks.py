"""What tools that no one here wrote say of an FMU's description: FMPy's validation and `fmutool -check`."""

from __future__ import annotations

import logging
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


# Both tools take most of their time for what is the same in all FMUs: names that occur again, and reading the schema.

_parse = Lark.parse
_legal_names: set[str] = set()


def _parse_once(parser: Lark, name: str) -> None:
    """Names by FMPy's grammar of the structured convention; raises an error at the first time if one is not legal."""
    if name not in _legal_names:
        _parse(parser, name)
        _legal_names.add(name)


def _fmpy(path: Path) -> list[str]:
    """What `fmpy validate` says."""
    with patch.object(Lark, "parse", _parse_once):
        return validate_fmu(str(path))


_schema = cache(xmlschema.XMLSchema)


def _fmutool(path: Path) -> list[str]:
    """What `fmutool -check` says: warnings and errors of all its checkers."""
    heard = _Complaints()
    _LOGGER.addHandler(heard)
    try:
        with FMU(str(path)) as unpacked, patch.object(checker.xmlschema, "XMLSchema", _schema):
            for check in checker.get_checkers():
                unpacked.apply_operation(check())
    except FMUError as problem:
        heard.texts.append(problem.reason)
    finally:
        _LOGGER.removeHandler(heard)
    return heard.texts
