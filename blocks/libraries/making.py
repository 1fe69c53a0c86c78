"""The folder of a new library: a block that works, to be changed into one's own."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from blocks.errors import LibraryError
from blocks.libraries.names import check_name

_TEMPLATE = Path(__file__).resolve().parent / "template"
_NAME = "my_blocks"
"""What the library is called in the template."""
_FILES = {
    "pyproject.toml": "pyproject.toml",
    "build_backend.py": "build_backend.py",
    "README.md": "README.md",
    ".gitignore": "gitignore",
    "drag.yaml": "drag.yaml",
    f"{_NAME}/__init__.py": "__init__.py",
    f"{_NAME}/drag.py": "drag.py",
    f"{_NAME}/drag.pxd": "drag.pxd",
    "tests/test_drag.py": "test_drag.py",
}
"""Where each file of the template goes."""


def new_library(name: str, parent: Path) -> Path:
    """Write the folder of a new library into another one; its path. Raises LibraryError.

    What cannot be the name of one is refused, and so is a folder that is there already.
    """
    folder = parent / name
    check_name(name)
    if folder.exists():
        raise LibraryError(f"there is {folder} already: remove it, or give the library another name")
    try:
        for target, source in _FILES.items():
            path = folder / target.replace(_NAME, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_filled((_TEMPLATE / f"{source}.txt").read_text(encoding="utf-8"), name), encoding="utf-8")
    except OSError as problem:
        raise LibraryError(f"cannot write {folder}: {problem.strerror or problem}") from None
    return folder


def _filled(text: str, name: str) -> str:
    text = text.replace("{version}", version("keelblocks"))
    return text.replace(_NAME, name).replace(_NAME.replace("_", "-"), name.replace("_", "-"))
