"""Every reader, by name."""

from __future__ import annotations

from fuzzing.reader import Reader
from fuzzing.readers import arrays, hydro, logs, packages, states, tables, yaml_files

READERS: dict[str, Reader] = {
    reader.name: reader
    for module in (yaml_files, tables, arrays, hydro, logs, states, packages)
    for reader in module.READERS
}  # fmt: skip
