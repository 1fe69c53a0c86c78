"""The comment by which editors find the schema of a file: YAML language servers read it.

The schema lies in a folder `.keelblocks` beside the file or above it, so that the line is the same on every machine.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

SCHEMA = Path(".keelblocks", "schema.json")
_LINE = re.compile(r"^#\s*yaml-language-server\s*:\s*\$schema=.*?(?=\r?\n|\r|\Z)", re.MULTILINE)


def schema_near(folder: Path) -> Path | None:
    """The schema in a folder or the nearest one above it, if there is one."""
    here = folder.resolve()
    return next((each / SCHEMA for each in (here, *here.parents) if (each / SCHEMA).is_file()), None)


def modeline(schema: Path, folder: Path) -> str:
    """The comment for files in a folder."""
    return f"# yaml-language-server: $schema={Path(os.path.relpath(schema, folder.resolve())).as_posix()}"


def with_modeline(text: str, line: str) -> str:
    """A file's text with this comment in place of another such one, or as its first line; the rest as it was."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    rest = text[len(mark) :]
    if _LINE.search(rest):
        return mark + _LINE.sub(lambda _: line, rest, count=1)
    ending = "\r\n" if "\r\n" in rest else "\n"
    return f"{mark}{line}{ending}{rest}"
