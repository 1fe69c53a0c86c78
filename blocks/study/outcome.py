"""What came out of a study: a row for each member, as xarray, as a table, in files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from blocks.binary.netcdf import write_netcdf
from blocks.errors import did_you_mean
from blocks.run.endings import endings
from blocks.run.result import ResultError, pyarrow, save_as
from blocks.study.angles import DIRECTIONS, continuous
from blocks.study.columns import Column
from blocks.study.errors import StudyError
from blocks.study.members import REPLICATE, SAMPLE
from blocks.study.records import Records

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


class Outcome:
    """What came out of a study, whole or partial.

    `values("roll")` are the values of a metric along the dimensions of the study, not a number where a member failed
    or has not been run; `status`, `reasons` and `end_time` say how each member ended. `dataset` is all of it as
    xarray, `table` as pandas with a row for each member; `attributes` say how it came about.
    """

    def __init__(
        self,
        dimensions: Mapping[str, int],
        columns: list[Column],
        metrics: Mapping[str, str],
        records: Records,
        attributes: Mapping[str, Any],
        seeds: Mapping[str, NDArray[np.int64]] | None = None,
    ) -> None:
        self.dimensions = dict(dimensions)
        self.seeds = dict(seeds or {})
        """By parameter the seed of each member."""
        self.columns = columns
        self.units = dict(metrics)
        self.records = records
        self.attributes = dict(attributes)
        self.shape = tuple(self.dimensions.values())

    def __len__(self) -> int:
        """How many members the study has."""
        return len(self.records.status)

    def continuous(self, metric: str) -> NDArray[np.float64]:
        """As `values`, but a metric that is a direction has no jumps by full turns: its members can be averaged.

        Directions of 179° and -179° are 179° and 181°, or -181° and -179°. Raises ResultError.
        """
        values = self.values(metric)
        said = json.loads(self.attributes.get("metrics", "{}")).get(metric, {})
        word = (said.get("metric") or said.get("statistic") or "").partition("(")[0]
        return continuous(values) if self.units[metric] == "rad" and word in DIRECTIONS else values

    def values(self, metric: str) -> NDArray[np.float64]:
        """A metric along the dimensions. Raises ResultError if there is none of that name."""
        if metric not in self.units:
            raise ResultError(f"no metric '{metric}'{did_you_mean(metric, self.units)}")
        return self.records.metrics[:, list(self.units).index(metric)].reshape(self.shape)

    @property
    def compiled(self) -> str:
        """By what the members of this run were run and why, where `compiled` was given and some were left; else ""."""
        return str(self.attributes.get("compiled", ""))

    @property
    def status(self) -> list[str]:
        """How each member ended: "end", "stopped" (by its stop signal), "failed" or "not run"."""
        return self.records.names

    @property
    def reasons(self) -> dict[int, str]:
        """Why members failed, or metrics of them are not there, by their numbers."""
        return dict(sorted(self.records.reasons.items()))

    @property
    def end_time(self) -> NDArray[np.float64]:
        """When each member ended, s, along the dimensions."""
        return self.records.end_time.reshape(self.shape)

    @property
    def complete(self) -> bool:
        """True if every member has been run."""
        return self.records.done == len(self)

    @cached_property
    def dataset(self) -> xr.Dataset:
        """Everything: a dimension for each factor with levels, `sample` and `replicate`; metrics with their units."""
        import xarray as xr

        names = list(self.dimensions)
        variables: dict[str, Any] = {
            name: (names, self.values(name), {"units": unit}) for name, unit in self.units.items()
        }
        variables["status"] = (names, np.array(self.status).reshape(self.shape))
        variables["reason"] = (names, self._reasons().reshape(self.shape))
        if "end_time" not in variables:
            variables["end_time"] = (names, self.end_time, {"units": "s"})
        coordinates: dict[str, Any] = {
            name: np.arange(count) for name, count in self.dimensions.items() if name in (SAMPLE, REPLICATE)
        }
        for column in self.columns:
            attributes = {"units": column.unit} if column.unit else {}
            coordinates[column.name] = (column.dimension, column.values, attributes)
        for name, numbers in self.seeds.items():
            coordinates[name] = (names, numbers.reshape(self.shape))
        return xr.Dataset(variables, coords=coordinates, attrs=self.attributes)

    def _reasons(self) -> NDArray[np.object_]:
        texts = np.full(len(self), "", dtype=object)
        for member, reason in self.records.reasons.items():
            texts[member] = reason
        return texts

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each member: its number, factors, seeds, metrics, end time, status and reason."""
        import pandas as pd

        members = np.arange(len(self))
        places = dict(zip(self.dimensions, np.unravel_index(members, self.shape) if self.shape else (), strict=True))
        found: dict[str, Any] = {"member": members}
        for column in self.columns:
            found[column.name] = column.values[places[column.dimension]]
        for name in (SAMPLE, REPLICATE):
            if name in places:
                found[name] = places[name]
        found |= self.seeds
        found |= {name: self.values(name).reshape(-1) for name in self.units}
        found.setdefault("end_time", self.records.end_time)
        found |= {"status": self.status, "reason": self._reasons()}
        frame = pd.DataFrame(found)
        frame.attrs = {**self.attributes, "units": self.column_units()}
        return frame

    def column_units(self) -> dict[str, str]:
        """The unit of each column of the table that has one."""
        return {c.name: c.unit for c in self.columns if c.unit} | {"end_time": "s"} | self.units

    def save(self, path: str | PathLike[str]) -> Path:
        """Write to .nc (the dataset), .csv or .parquet (the table). Raises ResultError if that is not possible."""
        return save_as(path, {".nc": self._save_netcdf, ".csv": self._save_csv, ".parquet": self._save_parquet})

    def _save_netcdf(self, path: str) -> None:
        write_netcdf(self.dataset, path)

    def _save_csv(self, path: str) -> None:
        self.table.to_csv(path, index=False)

    def _save_parquet(self, path: str) -> None:
        pa, pq = pyarrow()
        units = self.column_units()
        table = pa.table({name: self.table[name].to_numpy() for name in self.table})
        fields = [
            field.with_metadata({"units": units[field.name]}) if field.name in units else field
            for field in table.schema
        ]
        about = {f"keelblocks.{key}": str(value) for key, value in self.attributes.items()}
        pq.write_table(table.cast(pa.schema(fields, metadata=about)), path)

    def summary(self) -> str:
        """One line: how many members ended how."""
        ended = endings(self.status, self.attributes.get("stop"))
        return f"{len(self):,} member{'' if len(self) == 1 else 's'}: {ended}"

    def __repr__(self) -> str:
        return (
            f"<Outcome of {self.summary()}; {len(self.units)} metrics along {', '.join(self.dimensions) or 'nothing'}>"
        )


def attributes_of(description: Mapping[str, Any], circumstances: Mapping[str, str]) -> dict[str, Any]:
    """Provenance as attributes that files can hold: numbers, and text for all else."""
    return {
        key: value if isinstance(value, (str, int, float)) else json.dumps(value)
        for key, value in {**description, **circumstances}.items()
    }


class StudyStopped(StudyError):
    """A study that had to stop before its end. `outcome` holds the members that were done by then."""

    def __init__(self, message: str, outcome: Outcome, code: str = "") -> None:
        super().__init__(message, code=code)
        self.outcome = outcome


class StudyInterrupted(StudyStopped):
    """A study that the user interrupted."""
