"""Files that once fell, by reader, so that they never do again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "fuzz" / "corpus"
_BETWEEN = "--"


def keep(folder: Path, reader: str, name: str, content: bytes) -> Path:
    """Keep a file, under the name that it needs and a checksum."""
    place = Path(name)
    number = hashlib.sha256(content).hexdigest()[:10]
    target = folder / reader.replace(" ", "_") / str(place.parent) / f"{place.stem}{_BETWEEN}{number}{place.suffix}"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return target


def kept(folder: Path, reader: str) -> Iterator[tuple[str, bytes]]:
    """The name and content of each."""
    home = folder / reader.replace(" ", "_")
    for path in sorted(home.rglob(f"*{_BETWEEN}*")):
        stem = path.stem.rpartition(_BETWEEN)[0]
        yield str(path.relative_to(home).with_name(f"{stem}{path.suffix}")), path.read_bytes()
