"""Names of packages, classes and components of Modelica."""

from __future__ import annotations

import re
from collections.abc import Collection

from fmu.identifiers import NEVER, identifier

_OTHERS = """
Interfaces Types Internal Plan Modelica ModelicaServices Complex Clock ExternalObject StateSelect
keelblocksPlan keelblocksTime assert der fill max min sample terminate
"""
_TAKEN = frozenset(_OTHERS.split())
"""Classes that a package has besides its models, names that the language or its library has, and what models call."""


def class_name(name: str, taken: Collection[str] = ()) -> str:
    """A name in the way of classes, each word with a capital: `minerva_los` is `MinervaLos`. None that is taken.

    Names that differ in capitals only are the same: there are file systems without them, and C here has none.
    """
    words = [word for word in re.split(r"[\W_]+", name, flags=re.ASCII) if word]
    text = "".join(word[0].upper() + word[1:] for word in words) or "Model"
    if not text[0].isalpha():
        text = f"M{text}"
    others = {name.casefold() for name in taken}
    while text in _TAKEN or text in NEVER or text.casefold() in others:
        text += "_"
    return text


def component_name(name: str) -> str:
    """A variable's name as a component: `vessel.mass` is `vessel_mass`. Legal variables stay different."""
    text = identifier(name)
    return f"{text}_" if text in _TAKEN else text


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, with "_" behind it as long as it is taken."""
    while name in taken:
        name += "_"
    return name


def c_name(package: str, model: str) -> str:
    """What all names in the C of a model begin with: those of several packages may meet in one program."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", f"{package}_{model}")
    return words.lower()
