"""Functions and classes that files name: from modules that have been imported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from blocks.errors import KeelblocksError, did_you_mean
from blocks.study.errors import StudyError


def function_named(
    name: str, command: str = "study run", error: type[KeelblocksError] = StudyError
) -> Callable[..., Any]:
    """The function or class "module.function". Raises `error`, with the nearest names and what to do.

    Modules are not imported here: a file is data, and what runs because of it is chosen by who runs it.
    """
    module, _, rest = name.rpartition(".")
    names = [rest]
    while module and module not in sys.modules:  # a function may stand in a class
        module, _, last = module.rpartition(".")
        names.insert(0, last)
    if not module:
        raise error(_unknown(name, command))
    found: Any = sys.modules[module]
    for part in names:
        if not hasattr(found, part):
            there = [item for item, value in vars(found).items() if callable(value) and not item.startswith("_")]
            raise error(f"there is no '{part}' in {module}{did_you_mean(part, there)}")
        found = getattr(found, part)
    if not callable(found):
        raise error(f"{name} is no function, but {found!r}")
    return found  # type: ignore[no-any-return]


def _unknown(name: str, command: str) -> str:
    if "." not in name:
        return f"'{name}' says no module: write module.function, and keelblocks --import MODULE {command} …"
    module = name.rpartition(".")[0]
    own = [item for item in sys.modules if "." not in item and not item.startswith("_")]
    near = did_you_mean(module, own)
    return (
        f"the module {module} of {name} has not been imported: keelblocks --import {module} {command} …, or "
        f"`import {module}` in Python{near if 'did you mean' in near else ''}"
    )
