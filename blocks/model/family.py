"""What a family offers: the blocks that its modules declare. Nobody keeps a list of them."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from types import ModuleType
from typing import Any

from blocks.model.block import FAMILIES, REGISTERED, Block


def offered(package: str) -> dict[str, Any]:
    """The names that a package of blocks offers, in alphabetical order: every block that its modules declare, unless it
    is abstract, and what they name in an `__all__` of their own."""
    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(sys.modules[package].__path__, f"{package}."):
        if not info.ispkg:
            found |= of_module(importlib.import_module(info.name))
    return dict(sorted(found.items()))


def of_module(module: ModuleType) -> dict[str, Any]:
    """What one module adds."""
    named = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    return {cls.__name__: cls for cls in REGISTERED.values() if cls.__module__ == module.__name__} | named


def family_by_birth(cls: type[Block]) -> str:
    """The family of Keelblocks that a block is in or derives from, as one of a library may; else its own."""
    found = (base.family for base in cls.__mro__ if issubclass(base, Block) and base.family in FAMILIES)
    return next(found, cls.family)
