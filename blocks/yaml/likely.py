"""Which file was probably meant, where one that was named is not there."""

from __future__ import annotations

import re
from pathlib import Path

from blocks.errors import near_misses
from blocks.files.writing import is_folder

_HEAD = 8192
"""How many bytes of a file are read to see what it is."""
_MOST = 200
"""So many files are looked at, at most."""
_SHOWN = 5

_KEY = re.compile(rb"^(keelblocks(?:_\w+)?)\s*:", re.MULTILINE)


def likely(missing: Path, noun: str) -> str:
    """The end of a message about a file that is not there: which others of its kind are, of near names or the same
    name in a folder below; else those beside it. Other YAML files, of whatever program, are not looked for.

    noun: what the file should be, "scenario", "study", …
    """
    folder = missing.parent
    if not is_folder(folder):
        return f"; there is no folder {folder}"
    if near := near_files(missing, noun):
        return "; did you mean " + " or ".join(f"'{name}'" for name in near) + "?"
    beside = _beside(folder, noun)
    if not beside:
        return ""
    more = f" and {len(beside) - _SHOWN} more" if len(beside) > _SHOWN else ""
    return f"; beside it: {', '.join(beside[:_SHOWN])}{more}"


def near_files(missing: Path, noun: str) -> list[str]:
    """The files, three at most, that one which is not there may have been meant for."""
    below = [str(path) for path in _files(missing.parent, f"*/{missing.stem}") if _is(path, noun)]
    stems = {Path(name).stem: name for name in reversed(_beside(missing.parent, noun))}  # endings are alike
    stem = missing.stem if missing.suffix in (".yaml", ".yml") else missing.name
    return [*below[:1], *(stems[one] for one in near_misses(stem, stems))][:3]


def _beside(folder: Path, noun: str) -> list[str]:
    return [path.name for path in _files(folder, "*") if _is(path, noun)]


def _files(folder: Path, pattern: str) -> list[Path]:
    try:
        found = sorted(path for path in folder.glob(f"{pattern}.y*ml") if not path.name.startswith("."))
    except OSError:
        return []
    return found[:_MOST]


def _is(path: Path, noun: str) -> bool:
    """Whether a file begins as one of this kind does; a vehicle's has no key that says so."""
    try:
        with path.open("rb") as opened:
            key = _KEY.search(opened.read(_HEAD))
    except OSError:
        return False
    if noun == "vehicle":
        return key is None
    return key is not None and key[1].decode() == ("keelblocks" if noun == "scenario" else f"keelblocks_{noun}")
