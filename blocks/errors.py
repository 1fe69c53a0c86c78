"""Errors that a user can cause, and warnings, in one family each, and the near misses that messages carry."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from blocks.problems import Problem


class KeelblocksError(Exception):
    """Something that the user can put right; the message says what, where and how, in no more than a screenful.

    code: what kind of problem it is, if not that of the class. wrong: a name that is none, and valid: those that
    there are, of which the nearest end the message, unless another hint does. block, port and parameter: what it is
    about.
    """

    code = "error"
    wrong = block = port = parameter = hint = ""
    near: tuple[str, ...] = ()
    inside: tuple[str | int, ...] = ()
    """Where in a value that is made of lists and mappings: keys and numbers from 0."""

    _problems: tuple[Problem, ...] = ()

    def __init__(
        self,
        *args: object,
        code: str = "",
        wrong: str = "",
        valid: Iterable[str] | None = None,
        hint: str = "",
        block: str = "",
        port: str = "",
        parameter: str = "",
        problems: tuple[Problem, ...] = (),
    ) -> None:
        if valid is not None:
            names = [str(name) for name in valid]
            self.near = tuple(sorted(near_misses(wrong, names), key=lambda name: edits(wrong, name)))
            hint = hint or did_you_mean(wrong, names).removeprefix("; ")
        given = {"code": code, "wrong": wrong, "block": block, "port": port, "parameter": parameter, "hint": hint}
        vars(self).update({name: value for name, value in given.items() if value})
        if problems:
            self._problems = problems
        words = [f"{item}; {hint}" if hint and isinstance(item, str) else item for item in args]
        super().__init__(*(_bounded(item) if isinstance(item, str) else item for item in words))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong, one record each: with file and line where a text says it, else with block and port."""
        return self._problems or (self._problem(),)

    def place(self, problems: tuple[Problem, ...]) -> None:
        """Take records that know more of their places."""
        self._problems = problems

    def _problem(self) -> Problem:
        message = str(self)
        hint = self.hint if message.endswith(f"; {self.hint}") else ""
        return Problem(
            "error",
            self.code,
            message.removesuffix(f"; {hint}") if hint else message,
            hint,
            block=self.block,
            port=self.port,
            parameter=self.parameter,
            wrong=self.wrong,
            near=self.near,
        )


_LONGEST_LINE, _MOST_LINES = 2000, 100


def _bounded(message: str) -> str:
    """A message shortened for reading: without the middle of very long lines, and lines beyond the hundredth."""
    if len(message) <= _LONGEST_LINE:
        return message
    lines = message.split("\n")
    more = [f"… and {len(lines) - _MOST_LINES} more lines"] if len(lines) > _MOST_LINES else []
    return "\n".join([shorten(line, _LONGEST_LINE) for line in lines[:_MOST_LINES]] + more)


def shorten(text: str, most: int) -> str:
    """A text without its middle if it has more than so many characters."""
    if len(text) <= most:
        return text
    head = most * 2 // 3
    return f"{text[:head]} … ({len(text) - most} characters) … {text[len(text) - (most - head) :]}"


class DeclarationError(KeelblocksError):
    """A block class is declared in a way that cannot work."""

    code = "bad-declaration"


class ParameterError(KeelblocksError, ValueError):
    """A parameter has the wrong name, shape, unit or range."""

    code = "bad-parameter"


class WiringError(KeelblocksError):
    """Blocks are connected in a way that cannot work."""

    code = "bad-wire"


class MissingPortError(WiringError, AttributeError):
    """A block has no such port, or not with its parameters: `hasattr` is then false."""


class LibraryError(KeelblocksError):
    """A library of blocks cannot be made, built, found or opened."""

    code = "bad-library"


class ScenarioError(KeelblocksError):
    """A scenario file cannot be read or does not say what a scenario must say."""

    code = "bad-file"


class SimulationError(KeelblocksError):
    """A run could not be started or had to stop."""

    code = "bad-setting"


class ExportError(KeelblocksError):
    """An FMU cannot be written."""


class PackageError(KeelblocksError):
    """What a package brings, blocks, a command or a format, cannot be used."""

    code = "bad-package"


class FmuError(KeelblocksError):
    """An FMU cannot be opened or used, or it cannot go on."""

    code = "bad-fmu"


class KeelblocksWarning(UserWarning):
    """Something that the user may want to know of; the work goes on."""


class PackageWarning(KeelblocksWarning):
    """What a package brings cannot be used; the rest is."""


class FmuWarning(KeelblocksWarning):
    """An FMU, or a package of FMUs, is not quite in order; it is used all the same."""


def shown(value: object) -> str:
    """A value that was given, in one line that is not too long."""
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # whole numbers of thousands of digits, lists in lists
        return f"{type(value).__name__} that is too long to show"
    return text if len(text) <= 80 else f"{text[:77]}..."


def raise_all(faults: Sequence[KeelblocksError]) -> None:
    """Raise one error for several, if there are any."""
    if faults:
        raise as_one(faults)


def as_one(faults: Sequence[KeelblocksError]) -> KeelblocksError:
    """One error for several: of the kind of the first, with a line for each."""
    if len(faults) == 1:
        return faults[0]
    lines = "\n".join(dict.fromkeys(map(str, faults)))
    return type(faults[0])(lines, problems=tuple(problem for fault in faults for problem in fault.problems))


def did_you_mean(wrong: str, valid: Iterable[str], *, every: int = 12) -> str:
    """The end of a message about an unknown name: the nearest valid names, or all of them if none is near."""
    names = sorted(set(map(str, valid)))
    near = near_misses(wrong, names)
    if near:
        return "; did you mean " + " or ".join(f"'{n}'" for n in near) + "?"
    if not names:
        return "; there are none"
    shown = ", ".join(names[:every]) + (f" and {len(names) - every} more" if len(names) > every else "")
    return f"; valid: {shown}"


_PART = 3
"""Letters with which a name has to begin to be meant: "MMG" of MMGVessel."""


def near_misses(wrong: str, valid: Iterable[str]) -> list[str]:
    """The valid names, three at most, that an unknown one may have been meant for; the nearest first.

    A block that is looked for in another family, `basic.PID`, is nearest of all.
    """
    lowered = {name.lower(): name for name in sorted(set(map(str, valid)))}
    _, dot, own = str(wrong).rpartition(".")
    elsewhere = [name for name in lowered.values() if dot and own[:1].isupper() and name.rpartition(".")[2] == own]
    close = difflib.get_close_matches(str(wrong).lower(), list(lowered), n=3, cutoff=0.6)
    within = [name for name in lowered if len(own) >= _PART and name.rpartition(".")[2].startswith(own.lower())]
    return elsewhere[:3] or [lowered[name] for name in close or within[:3]]


def nearest(wrong: str, near: Sequence[str]) -> str | None:
    """Of near misses, nearest first, the one that was surely meant: none if another one is as near."""
    if not near or (len(near) > 1 and edits(wrong, near[0]) == edits(wrong, near[1])):
        return None
    return near[0]


def edits(one: str, other: str) -> int:
    """How many letters to put in, leave out, exchange, or swap with the next make one word of another."""
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one):
        above, last = row, above
        row = [i + 1]
        for j, b in enumerate(other):
            least = min(row[j] + 1, above[j + 1] + 1, above[j] + (a.lower() != b.lower()))
            if i and j and a == other[j - 1] and one[i - 1] == b:
                least = min(least, last[j - 1] + 1)
            row.append(least)
    return row[-1]
