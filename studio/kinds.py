"""Which kind of file is to become a page."""

from __future__ import annotations

from os import PathLike

from blocks.yaml import kinds
from studio.errors import ShareError

SHARED = ("keelblocks", "keelblocks_study", "keelblocks_comparison")


def kind_of(path: str | PathLike[str]) -> str:
    """The first key of a file; that of a scenario if it has none. Raises ShareError for kinds without pages."""
    found = kinds.kind_of(path)
    if found not in SHARED:
        what, command = kinds.KINDS[found]
        raise ShareError(f"{path} is {what}, which has no page; `{command}` takes it")
    return found
