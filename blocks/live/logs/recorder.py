"""Recording a run that goes on: a sink that writes MCAP."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from blocks.files.writing import path_of, replacing
from blocks.live.logs.automatic import topics_of
from blocks.live.logs.writer import BagError, Channel, LogWriter, epoch_of, mcap_writer
from blocks.live.messages import Publication, publications
from blocks.live.messages.outgoing import Signals, period_of
from blocks.run.recording import choose
from blocks.run.result import version
from blocks.simulator import Simulator

Array = NDArray[np.float64]

_ROWS = 256
"""Points in time that are kept until their messages are made."""


class McapRecorder:
    """Writes what a simulator shows to an MCAP file while it runs, in messages of ROS 2: a sink of `run_realtime`.

    signals, topics: as in `save_mcap`. rate: of the topics that are not among these, 10.0 or "10 Hz"; every turn if not
    given.

    An input is logged at the instant from which on it has its value, so that the bits of a run can be had again by
    `bag_inputs`. The file appears when the recorder is closed. A run that is reset goes on in another file, run_2.mcap
    beside run.mcap. Raises BagError for a path that cannot be written, and if the package mcap is not installed, and
    MessageError for a rate that is none.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        signals: str | Iterable[str] | None = None,
        rate: float | str | None = None,
        *,
        topics: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = path_of(path, "a log", BagError)
        if self.path.suffix.lower() != ".mcap":
            raise BagError(f"{self.path}: the ending of a log must be .mcap")
        mcap_writer()
        period_of(rate)
        self._topics = topics
        self._signals = [signals] if isinstance(signals, str) else None if signals is None else list(signals)
        self._rate = rate
        self.files: list[Path] = []
        """The files that were written."""
        self._file: _File | None = None

    def open(self, simulator: Simulator) -> None:
        """Begin a file. Raises BagError, and MessageError for topics that do not fit the diagram."""
        self.close()
        plan = simulator.plan
        blocks = {leaf.name: leaf.block for leaf in plan.flat.leaves}
        own = choose(plan, self._signals, "log") if self._signals != [] else {}
        topics = topics_of(Signals(own), self._topics, self._rate)
        self._made = publications(topics, Signals({**plan.inputs, **plan.outputs, **plan.external_outputs}, blocks))
        self._begin(simulator)

    def _begin(self, simulator: Simulator) -> None:
        number = len(self.files) + 1
        path = self.path if number == 1 else self.path.with_stem(f"{self.path.stem}_{number}")
        self._file = _File(path, simulator, self._made)
        if simulator.status not in ("ready", "closed"):
            self._file.row(simulator, simulator.time)

    def write(self, simulator: Simulator, t: float) -> None:
        """Log this instant, s."""
        if self._file is None:
            raise BagError(f"{self.path}: the recorder is closed; open(simulator) comes first")
        if t < self._file.last:
            self.close()
            self._begin(simulator)
        self._file.row(simulator, t)

    def close(self) -> None:
        """Write what is left, and let the file appear. Raises BagError if that is not possible."""
        if self._file is not None:
            file, self._file = self._file, None
            self.files.append(file.path)
            file.close()

    def __enter__(self) -> McapRecorder:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class _File:
    """One file, and the rows whose messages are not made yet."""

    def __init__(self, path: Path, simulator: Simulator, made: Iterable[Publication]) -> None:
        self.path = path
        self.last = -math.inf
        settings = simulator.settings
        self._since = settings.start if simulator.status == "ready" else math.nan
        about = {"version": version(), "solver": settings.solver, "plan": simulator.plan.checksum}
        about |= {"start": repr(float(settings.start)), "step": repr(float(settings.step))}
        with _telling(path), contextlib.ExitStack() as files:
            part = files.enter_context(replacing(path))
            stream: IO[bytes] = files.enter_context(part.open("wb"))
            self._writer = LogWriter(stream, made, about, epoch_of(settings.start))
            self._open = files.pop_all()
        channels = self._writer.channels
        inputs = set(simulator.plan.inputs)
        given = [c for c in channels if c.publication.signals and _bare(c.publication.signals) <= inputs]
        self._given = _Rows(simulator, given)
        self._shown = _Rows(simulator, [channel for channel in channels if channel not in given])

    def row(self, simulator: Simulator, t: float) -> None:
        """Keep the numbers of this instant, and inputs as those of the one before, from which on they have held."""
        if t <= self.last:
            return
        if t > self._since:  # which NaN is not
            self._given.keep(self._since)
        self._shown.keep(t)
        self.last = self._since = t
        if self._shown.full:
            self._flush()

    def _flush(self) -> None:
        with _telling(self.path):
            for rows in (self._given, self._shown):
                self._writer.write(rows.channels, *rows.taken())

    def close(self) -> None:
        with _telling(self.path), self._open:
            self._flush()
            self._writer.finish()


class _Rows:
    """Numbers of signals at some points in time, until their messages are made."""

    def __init__(self, simulator: Simulator, channels: list[Channel]) -> None:
        self.channels = channels
        names = dict.fromkeys(name for channel in channels for name in channel.publication.signals)
        self._views = {name: simulator[name] for name in names}
        self._kept = {name: np.empty((_ROWS, *view.shape)) for name, view in self._views.items()}
        self._times = np.empty(_ROWS)
        self._count = 0

    @property
    def full(self) -> bool:
        return self._count == _ROWS

    def keep(self, t: float) -> None:
        self._times[self._count] = t
        for name, view in self._views.items():
            self._kept[name][self._count] = view
        self._count += 1

    def taken(self) -> tuple[Array, Callable[[str], Array]]:
        """Times and values, which are forgotten here."""
        count, self._count = self._count, 0
        return self._times[:count], lambda name: self._kept[name][:count]


def _bare(names: Iterable[str]) -> set[str]:
    """Signals without the elements that are meant."""
    return {name.partition("[")[0] for name in names}


@contextlib.contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Errors of the file system with the path of the log."""
    try:
        yield
    except OSError as problem:
        raise BagError(f"cannot write {path}: {problem.strerror or problem}") from None
