"""Members of a study that go on side by side, in the lanes of the processor's vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.run.pieces import PAUSED, Pieces
from blocks.study.batch import Batch
from blocks.study.errors import Cancelled
from blocks.study.member_run import MemberRun, Stop
from blocks.study.program import Program
from cython_kernels.swarm import Engines

NOBODY = -1
"""The status of a lane that has no member."""


class Group:
    """As many engines as there are lanes, restarted for each group of members.

    lanes: what lets them go together, see `blocks/compiled/side_by_side.py`. runs: of engines that there are; more are
    added. Members of one program have one clock and fit beside each other in any order: what sets when blocks sample
    has a plan of its own. Where they take a stride alone, the engine does as well as the code of one, as measured.
    """

    def __init__(self, program: Program, lanes: Any, runs: list[MemberRun]) -> None:
        self.program, self.lanes, self.runs = program, lanes, runs
        self.width: int = lanes.width
        runs += [MemberRun(program) for _ in range(self.width - len(runs))]
        self.engines: Engines | None = None
        self.pieces = Pieces()

    def go(
        self,
        rows: range,
        numbers: NDArray[np.float64],
        fields: NDArray[np.float64],
        batch: Batch,
        notes: dict[int, str],
        taken: NDArray[np.int64],
        stop: Stop,
    ) -> None:
        """Run the members of some rows of a batch; `taken`: how many times the values of each were summarised."""
        statuses = np.full(self.width, NOBODY)
        for lane, i in enumerate(rows):
            statuses[lane] = self.runs[lane].begin(numbers[i], fields[i])
        if self.engines is None:
            for run in self.runs[len(rows) :]:  # a lane without a member has an engine all the same
                run.begin(numbers[rows[0]], np.zeros_like(fields[0]))
            self.engines = Engines([run.fresh() for run in self.runs], np.zeros((0, 5), dtype=np.longlong))
            self.engines.go_in_lanes(self.lanes)
        together = self.engines
        together.statuses[:] = statuses
        together.begin(-1.0, self.program.end, 0.0)
        for _ in self.pieces.of(lambda steps: self._go_on(together, steps, stop)):
            pass
        for lane, i in enumerate(rows):
            taken[i] = self.runs[lane].end(i, int(together.statuses[lane]), fields[i], batch, notes)

    @staticmethod
    def _go_on(together: Engines, steps: int, stop: Stop) -> int:
        if stop():
            raise Cancelled
        together.go(steps, 1, True)
        return PAUSED if together.going else 0
