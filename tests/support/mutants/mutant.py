"""A mutant: one change of one statement; and a seeded sample of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from pathlib import Path

from mutants.operators import Edit, edits
from mutants.statements import Statement, statements

KERNELS = "cython_kernels"
_PYTHON = ("blocks", "fmu")
_MADE = {"views", "entries"}
_NOT = ("registry.pxd", "view.pxd", "checked.pxd", "__init__.pxd", "swarm.pyx", "native.pyx", "engine.pyx",
        "external.pxd")  # fmt: skip
"""What the build writes; tables, types, glue for Python, and what is not in an ordinary build of the engine."""


@dataclass(frozen=True)
class Mutant:
    """A statement and what is changed in it."""

    statement: Statement
    kind: str
    edit: Edit

    @property
    def changed(self) -> str:
        """The statement after the change."""
        start, end, new = self.edit
        return self.statement.text[:start] + new + self.statement.text[end:]

    @property
    def key(self) -> str:
        """The same as long as file, function and both forms are."""
        return "\n".join([self.statement.path, self.statement.scope, self.statement.text, self.changed])

    @property
    def is_kernel(self) -> bool:
        """Whether it is compiled."""
        return self.statement.cython

    def __str__(self) -> str:
        one = self.statement
        lines = [f"{one.path}:{one.line} {one.scope} ({self.kind})"]
        lines += [f"- {line.strip()}" for line in one.text.splitlines()]
        lines += [f"+ {line.strip()}" for line in self.changed.splitlines()]
        return "\n".join(lines)


def sources(root: Path, only: Iterable[str] = ()) -> list[str]:
    """The files that are changed, of these folders and files only, if any are named."""
    kernels = [path for pattern in ("*.pxd", "*.pyx") for path in (root / KERNELS).rglob(pattern)]
    python = [path for folder in _PYTHON for path in (root / folder).rglob("*.py")]
    paths = [path.relative_to(root) for path in kernels + python if path.name not in _NOT]
    names = [path.as_posix() for path in paths if _MADE.isdisjoint(path.parts)]
    chosen = [one.rstrip("/") for one in only]
    return sorted(
        name for name in names if not chosen or any(name == one or name.startswith(f"{one}/") for one in chosen)
    )


def sample(root: Path, count: int, seed: int, only: Iterable[str] = ()) -> list[Mutant]:
    """`count` mutants, half of kernels and half of Python where there are both; each of another statement.

    Which they are depends on the statements and the seed alone: other lines may come and go.
    """
    by_kind: dict[bool, list[tuple[random.Random, Statement]]] = {True: [], False: []}
    for name in sources(root, only):
        found = statements(name, (root / name).read_text(encoding="utf-8"))
        for (scope, text), one in {(one.scope, one.text): one for one in found}.items():  # of equal ones the last
            by_kind[one.cython].append((random.Random(f"{seed} {name} {scope} {text}"), one))
    kinds = [each for each in by_kind.values() if each]
    return [
        mutant
        for number, each in enumerate(kinds)
        for mutant in islice(_drawn(each), count // len(kinds) + (number < count % len(kinds)))
    ]


def _drawn(candidates: list[tuple[random.Random, Statement]]) -> Iterator[Mutant]:
    """In a random order, with one edit each, of a kind first."""
    for _, chooser, one in sorted(((chooser.random(), chooser, one) for chooser, one in candidates), key=itemgetter(0)):
        kinds: dict[str, list[Edit]] = {}
        for kind, edit in edits(one):
            kinds.setdefault(kind, []).append(edit)
        if kinds:
            kind = chooser.choice(list(kinds))
            yield Mutant(one, kind, chooser.choice(kinds[kind]))
