"""Recording to a file while a simulation runs, at a rate of its own."""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, TextIO

import numpy as np

from blocks.errors import SimulationError
from blocks.files.writing import path_of
from blocks.realtime.readings import usual
from blocks.realtime.turns import Turns
from blocks.run.recording import choose, columns_of
from blocks.run.result import Result

if TYPE_CHECKING:
    from blocks.simulator import Simulator

_FLUSH = 1.0
"""Real time after which rows of a CSV are in the file, s."""


class Recorder:
    """A sink that writes signals to a file while the run goes on.

    path: a .csv is written row by row, can be read meanwhile, and is there whatever happens; .nc and .parquet are kept
        in memory and written when the run ends, by Ctrl-C or an error too. A reset begins these anew.
    signals: outputs and inputs, "*" and "?" as in file names; None: outputs of the diagram, or motions of vessels.
    rate: rows per second of simulated time at most; None: every turn.
    """

    def __init__(
        self, path: str | PathLike[str], signals: Iterable[str] | None = None, rate: float | str | None = None
    ) -> None:
        self.path = path_of(path, "a recording", SimulationError)
        if self.path.suffix not in (".csv", ".nc", ".parquet"):
            raise SimulationError(
                f"{self.path}: the ending of a recording must be .csv, .nc or .parquet; .mcap is written by "
                "blocks.live.logs.McapRecorder"
            )
        self.signals = None if signals is None else [signals] if isinstance(signals, str) else list(signals)
        self._turns = Turns(rate)

    def open(self, simulator: Simulator) -> None:
        """Find the signals, and see that the file can be written."""
        plan = simulator.plan
        self._places = choose(plan, usual(simulator) if self.signals is None else self.signals)
        self._views = [simulator[name].reshape(-1) for name in self._places]
        self._simulator = simulator
        self._rows = array("d")
        self._last = simulator.time
        self._file: TextIO | None = None
        self._flushed = time.monotonic()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.suffix == ".csv":
                self._file = self.path.open("w", encoding="utf-8", newline="")
                self._file.write(",".join(["time [s]", *self._result().headers()]) + "\n")
        except OSError as problem:
            raise SimulationError(f"cannot write {self.path}: {problem.strerror or problem}") from None

    def write(self, simulator: Simulator, t: float) -> None:
        """A row, if it is time."""
        if not self._turns.due(t):
            return
        if t < self._last and self._file is None:  # it was reset: a result has times that increase
            self._rows = array("d")
        self._last = t
        row = [t]
        for view in self._views:
            row += view.tolist()
        if self._file is None:
            self._rows.extend(row)
            return
        self._file.write(",".join(map(repr, row)) + "\n")
        now = time.monotonic()
        if now - self._flushed > _FLUSH:
            self._flushed = now
            self._file.flush()

    def close(self) -> None:
        """Finish the file."""
        if self._file is not None:
            self._file.close()
        else:
            self._result().save(self.path)

    def _result(self) -> Result:
        """What was taken so far."""
        columns, indices = columns_of(self._places)
        table = np.array(self._rows).reshape(-1, 1 + len(indices))
        settings, t = self._simulator.settings, self._simulator.time
        attributes = {
            "status": "end",
            "message": "",
            "solver": settings.solver,
            "step": settings.step,
            "start": settings.start,
            "end": t,
            "requested_end": t,
            "plan": self._simulator.plan.checksum,
        }
        return Result(table[:, 0].copy(), self._places, columns, table[:, 1:].copy(), attributes)
