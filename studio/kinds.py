"""Which kind of file is to become a page."""

from __future__ import annotations

from pathlib import Path

from blocks.yaml.kinds import KINDS
from blocks.yaml.reading import read, read_text
from studio.errors import ShareError

SHARED = ("keelblocks", "keelblocks_study", "keelblocks_comparison")


def kind_of(path: Path) -> str:
    """The first key of a file; that of a scenario if it has none. Raises ShareError for kinds without pages."""
    document = read(read_text(path, "a scenario"), str(path))
    data = document.data
    found = next((kind for kind in KINDS if isinstance(data, dict) and kind in data), "keelblocks")
    if found not in SHARED:
        what, command = KINDS[found]
        raise ShareError(f"{path} is {what}, which has no page; `{command}` takes it")
    return found
