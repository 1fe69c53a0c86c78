"""Problem: what is wrong, or improbable, in a form for people and for programs: code, place, words, and the mend.

`docs/errors.md` lists the codes. Errors carry them as `problems`; `blocks.checking` finds all those of a file.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from blocks.replacement import Replacement

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong (an error) or legal and improbable (a warning).

    Lines and columns count from 1, columns in characters; they are None where there is no text, as in a diagram made
    in Python. The end is behind the last character.
    """

    severity: Severity
    code: str
    """Short name, such as `unknown-port`: docs/errors.md has them all."""
    message: str
    """What is wrong, and what was expected."""
    hint: str = ""
    """What to do, such as "did you mean 'heading'?"."""
    path: tuple[str | int, ...] = ()
    """Keys of mappings and numbers of list items, from the top of the file."""
    block: str = ""
    """Dotted name in the diagram, "plant.vessel"."""
    port: str = ""
    parameter: str = ""
    wrong: str = ""
    """The name that is none."""
    near: tuple[str, ...] = ()
    """What it may have been meant for, three at most, the nearest first."""
    file: str = ""
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    title: str = ""
    """The mend in words, where it is known: "write 'heading'"."""
    replacements: tuple[Replacement, ...] | None = None
    """The mend: characters of the file's text, and what is to stand there."""
    instead_of: tuple[str, ...] = ()
    """What stands there now."""
    time: float | None = None
    """Of a run that stopped, s."""
    part: str = ""
    """Of a run that stopped: what is not finite, such as "output eta[psi]". Of a formula: whose text, "let.drag"."""
    within: tuple[int, int] | None = None
    """Of a formula: the characters at fault, from 0, of its text as the file says it."""
    element: int | None = None
    """Its number, from 0."""
    recorded: int | None = None
    """Points in time that had been recorded until then."""

    @property
    def text(self) -> str:
        """Message and hint, as errors say them."""
        return f"{self.message}; {self.hint}" if self.hint else self.message

    @property
    def place(self) -> str:
        """File and line, as far as they are known: "file.yaml:12"."""
        return f"{self.file}:{self.line}" if self.line is not None and self.file else self.file

    def __str__(self) -> str:
        named = self.file in self.message and self.line is None  # such as "there is no scenario small.yaml"
        return f"{self.place}: {self.text}" if self.place and not named else self.text

    def of_block(self, name: str) -> Problem:
        """The same, of a block."""
        return replace(self, block=name)

    def fix(self, text: str | None = None) -> str:
        """Apply the mend: to a text, or without one to the file; the text afterwards.

        Raises ScenarioError if no mend is known, if the text has changed there since, and if the file cannot be
        read or written.
        """
        mending = importlib.import_module("blocks.yaml.mending")  # which knows how files are written
        if text is not None:
            return str(mending.mended(self, text))
        return str(mending.mend_file(Path(self.file), self))
