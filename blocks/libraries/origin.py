"""Whose a block is: of Keelblocks, of an installed package, or of a module that lies somewhere."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from blocks.libraries.loading import loaded_from
from blocks.model.block import Block
from blocks.packages import BLOCKS, OWN, offers


def origin_of(cls: type[Block]) -> str:
    """The package that a block comes from with its version; or where the module stands, if that is not installed."""
    top = cls.__module__.partition(".")[0]
    for offer in offers(BLOCKS) if loaded_from(top) is None else ():
        if offer.point.module.partition(".")[0] == top:
            return offer.package
    if top == "blocks":
        try:
            return f"{OWN} {version(OWN)}"
        except PackageNotFoundError:
            return OWN
    file = getattr(sys.modules.get(top), "__file__", None)
    if file is None:
        return top
    place = Path(file).parent if Path(file).name == "__init__.py" else Path(file)
    return os.path.relpath(place) if place.is_relative_to(Path.cwd()) else str(place)
