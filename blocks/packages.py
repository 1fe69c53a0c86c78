"""What other packages bring, found by their entry points: blocks, commands, formats of results and of inputs.

Entry points are read when something is asked for that they may offer, never at `import blocks`, and each is loaded
when it is wanted itself. One that cannot be loaded is told of, and the rest goes on without it.

Source: Python Packaging User Guide, Entry points specification.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import sys
import traceback
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from blocks.errors import PackageError, PackageWarning

BLOCKS = "keelblocks.blocks"
"""Modules that define blocks when they are imported."""
COMMANDS = "keelblocks.commands"
"""Commands of click, by their names: `keelblocks NAME`."""
RESULTS = "keelblocks.results"
"""Functions `write(result, path)`, by the ending of the files that they write."""
INPUTS = "keelblocks.inputs"
"""Functions `read(path, topic, value)` that give times and values, by the ending of the files that they read."""

OWN = "keelblocks"


@dataclass(frozen=True)
class Offer:
    """One entry point of an installed package."""

    point: EntryPoint

    @property
    def name(self) -> str:
        """What is offered: the name of a command, say."""
        return self.point.name

    @property
    def package(self) -> str:
        """The package that offers it, with its version."""
        found = self.point.dist
        return f"{found.name} {found.version}" if found else "an unnamed package"

    def load(self) -> Any:
        """What is offered. Raises PackageError if it cannot be had."""
        try:
            module = importlib.import_module(self.point.module)
            return functools.reduce(getattr, filter(None, (self.point.attr or "").split(".")), module)
        except (Exception, SystemExit) as problem:  # whatever the package raises
            raise PackageError(
                f"{self} cannot be loaded: {reason(problem)}; fix the package, or remove it: "
                f"pip uninstall {self.package.partition(' ')[0]}"
            ) from problem

    def __str__(self) -> str:
        return f"{self.point.group.removeprefix(f'{OWN}.')} of the package {self.package} ({self.point.value})"


def offers(group: str) -> tuple[Offer, ...]:
    """What is offered in a group: by Keelblocks itself, then by others in the order of their names.

    Warns, once, if not even what comes with Keelblocks is known.
    """
    return _found(group, tuple(sys.path))


def named(group: str, taken: Iterable[str]) -> dict[str, Offer]:
    """The offers by name. Warns of one by a name that is taken, by Keelblocks or by a package before it."""
    known = dict.fromkeys(taken, "Keelblocks")
    found: dict[str, Offer] = {}
    for offer in offers(group):
        if offer.name in known:
            say(f"{offer} is left out: {known[offer.name]} has '{offer.name}' already")
        else:
            found[offer.name] = offer
            known[offer.name] = f"the package {offer.package}"
    return found


def say(what: str) -> None:
    """Tell of a package, or a part of one, that the rest goes on without."""
    warnings.warn(what, PackageWarning, stacklevel=3)


def reason(problem: BaseException) -> str:
    """What went wrong in a package: the error, and the last line of it that was reached."""
    steps = [step for step in traceback.extract_tb(problem.__traceback__) if not _is_import(step.filename)]
    at = f" ({steps[-1].filename}, line {steps[-1].lineno})" if steps and not isinstance(problem, SyntaxError) else ""
    return f"{type(problem).__name__}: {problem}{at}"


def _is_import(file: str) -> bool:
    """Whether a step is one of importing, and not of what is imported."""
    return file.startswith("<frozen") or file in (__file__, importlib.__file__)


@functools.lru_cache(maxsize=16)
def _found(group: str, _path: tuple[str, ...]) -> tuple[Offer, ...]:
    """The offers on one path of modules."""
    _check_own()
    points = importlib.metadata.entry_points(group=group)
    return tuple(sorted(map(Offer, points), key=lambda offer: (not _is_own(offer), offer.package, offer.name)))


def _is_own(offer: Offer) -> bool:
    return offer.point.dist is not None and offer.point.dist.name == OWN


def _check_own() -> None:
    """Say so if what Keelblocks itself offers is not known: sources that are used without having been built."""
    mend = "`make build` in the source folder, or an installation, mends that"
    try:
        own = importlib.metadata.distribution(OWN)
    except importlib.metadata.PackageNotFoundError:
        say(f"Keelblocks is not installed, so some of its blocks and commands are missing; {mend}")
        return
    if not any(point.group == BLOCKS for point in own.entry_points):
        where = Path(str(own.locate_file(""))).resolve()
        say(
            f"the entry points of Keelblocks in {where} are older than its source, so some of its blocks and commands "
            f"are missing; {mend}"
        )
