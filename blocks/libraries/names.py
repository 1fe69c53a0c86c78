"""What a library may be called: a package that Python imports, and the family of its blocks."""

from __future__ import annotations

import importlib.util
import keyword
import re
import sys

from blocks.errors import LibraryError
from blocks.model.block import FAMILIES

_OWN = ("blocks", "cython_kernels", "fmu", "tests", "views", "entries")


def check_name(name: str) -> None:
    """Raise LibraryError, with a proposal, for a name that a library cannot have: of its form, or one that is taken."""
    proper = _proper(name)
    if name != proper:
        raise LibraryError(
            f"a library cannot be called '{name}': its name is that of a package in Python, small letters, digits and "
            f"underscores, a letter first, such as {proposed(name)}"
        )
    reason = _taken(name)
    if reason:
        raise LibraryError(f"a library cannot be called '{name}': {reason}; call it {_free(f'{name}_blocks')}, say")


def proposed(name: str) -> str:
    """A name that a library can have: this one, or one like it."""
    return _free(_proper(name))


def _proper(name: str) -> str:
    """The nearest name of the right form."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", name).lower().strip("_")
    return f"blocks_{words}" if words[:1].isdigit() else words or "my_blocks"


def _taken(name: str) -> str:
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return "that is a word of Python"
    if name in FAMILIES:
        return "that is a family of Keelblocks' own blocks"
    if name in _OWN or name in sys.stdlib_module_names:
        return "that is a module of Keelblocks or of Python"
    found = importlib.util.find_spec(name)
    if found is not None and found.origin:
        return f"there is a module of that name already, {found.origin}"
    return ""


def _free(name: str) -> str:
    while _taken(name):
        name += "_blocks"
    return name
