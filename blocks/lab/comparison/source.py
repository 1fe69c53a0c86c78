"""Where a comparison comes from: what is needed to run it again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from blocks.lab.comparison.file import ComparisonDocument


@dataclass
class Source:
    """Name, title and question, and the files that say it all."""

    name: str
    title: str
    question: str = ""
    files: dict[str, str] = field(default_factory=dict)
    """The text of each file, by the path that was given."""
    command: str = ""

    @classmethod
    def of_file(cls, document: ComparisonDocument, path: Path, changes: dict[str, Any]) -> Source:
        """A comparison file and its scenario."""
        scenario = path.parent / document.entry.scenario
        files = {path.as_posix(): document.document.text, scenario.as_posix(): scenario.read_text(encoding="utf-8")}
        options = [f"--{key}={value}" for key, value in changes.items()]
        command = shlex.join(["keelblocks", "lab", "compare", path.as_posix(), *options])
        return cls(document.name, document.title, document.entry.description, files, command)
