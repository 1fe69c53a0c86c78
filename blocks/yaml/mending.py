"""Mends of problems, applied to a text or to its file."""

from __future__ import annotations

from pathlib import Path

from blocks.errors import ScenarioError
from blocks.files.writing import replacing
from blocks.problems import Problem
from blocks.replacement import replaced
from blocks.yaml.reading import decode


def mended(problem: Problem, text: str) -> str:
    """The text with the mend of a problem. Raises ScenarioError if there is none, or the text is another one now."""
    changes = problem.replacements
    if changes is None:
        raise ScenarioError(f"{problem}: there is no mend for it that is known", code="no-mend")
    now = tuple(text[change.span.start : change.span.end] for change in changes)
    if now != problem.instead_of:
        raise ScenarioError(f"{problem}: the text has changed there since; check it again", code="no-mend")
    return replaced(text, changes)


def mend_file(file: Path, problem: Problem) -> str:
    """The file's text with the mend, which it then has. Raises ScenarioError."""
    try:
        content = file.read_bytes()
    except (OSError, ValueError) as fault:
        raise ScenarioError(f"cannot read {file}: {getattr(fault, 'strerror', None) or fault}") from None
    text = mended(problem, decode(content, str(file)))
    write_text(file, text)
    return text


def write_again(file: Path, before: str, text: str) -> None:
    """Write the text of a file that was another one before. Raises ScenarioError, also if it is that no longer."""
    try:
        content = file.read_bytes()
    except (OSError, ValueError) as fault:
        raise ScenarioError(f"cannot read {file}: {getattr(fault, 'strerror', None) or fault}") from None
    if decode(content, str(file)) != before:
        raise ScenarioError(f"{file} has changed since it was checked: nothing was written; check it again")
    write_text(file, text)


def write_text(file: Path, text: str) -> None:
    """Write a text as it is, line ends and all. Raises ScenarioError."""
    try:
        with replacing(file) as part:
            part.write_bytes(text.encode("utf-8"))
    except OSError as fault:
        raise ScenarioError(f"cannot write {file}: {fault.strerror or fault}") from None
