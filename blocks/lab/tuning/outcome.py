"""What tuning found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.run.result import Result


@dataclass(frozen=True, eq=False)
class Tuned:
    """The best that was found.

    values: of the parameters, SI, by name; start: what they were. metrics, start_metrics: what was minimised and what
    was limited, there and at the start. units: of parameters and metrics. history: a row for each trial, in their
    order, with `best` for the least value until then, and `reason` for those that failed or broke limits. run: the
    result of the best run, of the first case. diagram: a copy with the values set. converged: whether the method says
    that it is done; message: its words. at_bounds: parameters that ended at a bound, where a better value may be beyond
    it.
    """

    objective: str
    values: Mapping[str, float]
    start: Mapping[str, float]
    metrics: Mapping[str, float]
    start_metrics: Mapping[str, float]
    units: Mapping[str, str]
    history: pd.DataFrame
    run: Result
    diagram: Diagram | Block
    converged: bool
    message: str
    at_bounds: tuple[str, ...] = ()
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The least value of what was minimised."""
        return self.metrics[self.objective]

    @property
    def table(self) -> pd.DataFrame:
        """`history` with units in the headings, for files."""
        units = {name: unit for name, unit in self.units.items() if unit != "1"}
        return self.history.rename(columns={name: f"{name} [{unit}]" for name, unit in units.items()})

    def __str__(self) -> str:
        rows = [("", "at the start", "tuned", "")]
        for table, begin in ((self.metrics, self.start_metrics), (self.values, self.start)):
            for name, value in table.items():
                unit = self.units.get(name, "1")
                note = "at its bound" if name in self.at_bounds else ""
                if name in self.limits:
                    low, high = self.limits[name]
                    note = f"at most {high:g}" if low == -np.inf else f"{low:g} … {high:g}"
                rows.append((f"{name}{'' if unit == '1' else f', {unit}'}", f"{begin[name]:.5g}", f"{value:.5g}", note))
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        lines = [f"{a:{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in rows]
        failed = int(self.history[self.objective].isna().sum())
        broken = int((self.history["reason"] != "").sum()) - failed
        said = f", {broken} broke limits" if self.limits else ""
        lines.append(f"{len(self.history)} trials, {failed} of them failed{said}; {self.message}")
        return "\n".join(lines)
