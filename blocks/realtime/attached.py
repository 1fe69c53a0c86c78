"""What is attached to a run: sources, which give inputs, and sinks, which take outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from blocks.errors import KeelblocksError, SimulationError, shown


class Source(Protocol):
    """Gives inputs, and parameters, to a simulation that runs.

    Besides what stands here it may have `attach(realtime)`, called first, with the loop that it can pause, step and
    stop, and `idle(simulator)`, called about 20 times a second while the loop waits or is paused.
    """

    def open(self, simulator: Any) -> None:
        """Before the first turn: check names, open sockets."""

    def read(self, simulator: Any, t: float) -> None:
        """Set what holds from t on. Must not block."""

    def close(self) -> None:
        """After the last turn, whatever it ended by; only if `open` returned."""


class Sink(Protocol):
    """Takes outputs of a simulation that runs. `attach` and `idle` as for a source; one object may be both."""

    def open(self, simulator: Any) -> None:
        """Before the first turn: check names, open files."""

    def write(self, simulator: Any, t: float) -> None:
        """Take what is wanted of the outputs at t, at the moment at which t is due. Should be quick."""

    def close(self) -> None:
        """After the last turn, whatever it ended by; only if `open` returned."""


Given = Mapping[str, Any] | Iterable[Any]
"""Sources or sinks as they are given: by name, or one after the other."""


class AttachedError(SimulationError):
    """Something attached to a run failed: who, and for what reason."""

    def __init__(self, who: str, reason: str) -> None:
        super().__init__(f"{who}: {reason}")
        self.who, self.reason = who, reason


@dataclass
class Attached:
    """An object with its name; each call of it says who failed."""

    name: str
    what: str
    item: Any
    reads: bool
    writes: bool

    def call(self, method: str, *arguments: Any) -> None:
        """Call a method if there is one. Raises AttachedError with the name for whatever it raises."""
        function = getattr(self.item, method, None)
        if function is None:
            return
        self.run(method, function, *arguments)

    def run(self, method: str, function: Callable[..., Any], *arguments: Any) -> None:
        """Call a function of the object."""
        try:
            function(*arguments)
        except (Exception, SystemExit) as problem:  # whatever the user's code raises
            who = f"the {self.what} '{self.name}'"
            if isinstance(problem, KeelblocksError):
                raise AttachedError(who, str(problem)) from problem
            raise AttachedError(f"{who} failed in {method}", f"{type(problem).__name__}: {problem}") from problem


def attached(sources: Given, sinks: Given) -> list[Attached]:
    """All of them with a name each, objects that are both once. Raises SimulationError for what is neither."""
    found: dict[int, Attached] = {}
    names: set[str] = set()
    for what, method, given in (("source", "read", sources), ("sink", "write", sinks)):
        for name, item in _named(given, what):
            if isinstance(item, type) or not callable(getattr(item, method, None)):
                if isinstance(item, type) or not callable(item):
                    raise SimulationError(_unfit(what, method, item))
                item = _Function(item, method)
            before = found.get(id(item))
            if before is None:
                found[id(item)] = Attached(_free(name, names), what, item, method == "read", method == "write")
            else:
                before.what, before.writes = "source and sink", True
    return list(found.values())


class _Function:
    """A function of (simulator, t) as a source or a sink."""

    def __init__(self, function: Callable[..., Any], method: str) -> None:
        setattr(self, method, function)


def _named(given: Given, what: str) -> Iterable[tuple[str, Any]]:
    if isinstance(given, Mapping):
        return [(str(name), item) for name, item in given.items()]
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        given = [given]
    return [(getattr(item, "__name__", type(item).__name__), item) for item in given]


def _free(name: str, taken: set[str]) -> str:
    number, wanted = 2, name
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    taken.add(name)
    return name


def _unfit(what: str, method: str, item: Any) -> str:
    made = f"; it is a class: attach an object of it, {item.__name__}(…)" if isinstance(item, type) else ""
    return (
        f"{shown(item)} cannot be a {what}: a function of (simulator, t), or an object with "
        f"{method}(simulator, t) is wanted{made}"
    )
