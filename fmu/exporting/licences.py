"""documentation/licenses of an FMU: the terms of what Keelblocks puts into it."""

from __future__ import annotations

import functools
import importlib.metadata
from pathlib import Path

_HEAD = """\
This FMU contains the runtime of Keelblocks: compiled code in binaries/ and, if it is there, its source in sources/.
That is distributed under the terms below. They do not concern the model, which is described in modelDescription.xml
and whose own terms, if it has any, stand there in the attributes copyright and license.

"""


@functools.cache
def licence_text() -> bytes:
    """documentation/licenses/license.txt: the licence of Keelblocks, and what it is about."""
    return (_HEAD + _of_keelblocks()).encode()


def _of_keelblocks() -> str:
    """The licence as it was installed, or as it stands in the source folder."""
    here = Path(__file__).resolve().parents[2]
    if (here / "pyproject.toml").is_file():
        return (here / "LICENSE").read_text(encoding="utf-8")
    installed = importlib.metadata.distribution("keelblocks")
    return installed.read_text("licenses/LICENSE") or installed.read_text("LICENSE") or ""
