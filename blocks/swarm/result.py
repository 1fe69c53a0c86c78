"""What a swarm recorded: as xarray with a dimension `vehicle`, saved as NetCDF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from blocks.binary.netcdf import write_netcdf
from blocks.errors import did_you_mean
from blocks.plan import Plan
from blocks.run.endings import endings
from blocks.run.result import Result, ResultError, libraries_of, save_as, version

if TYPE_CHECKING:
    import xarray as xr

    from blocks.swarm.recording import SwarmRecording

STATISTICS = ("mean", "rms", "standard_deviation", "significant", "least", "greatest")
"""Of a summary. The significant amplitude is twice the standard deviation: that of a narrow-banded Gaussian signal is
the mean of the highest third of its amplitudes (Longuet-Higgins, 1952)."""


class SwarmResult:
    """What a swarm recorded.

    `values("vessel.eta")` is an array (vehicles, times, …), not a number after a vehicle has stopped;
    `result["vessel.eta"]` the same as an xarray DataArray with units, and `dataset` all of it; `vehicle(3)` what one
    vehicle did, as `simulate` would have it; `summary` the summaries, with dimensions vehicle and statistic. `status`
    says of each vehicle how it ended ("end", "stopped", "failed", "interrupted"), `end_times` when, s, and `messages`
    why those that failed did.
    """

    def __init__(
        self,
        template: Result,
        time: NDArray[np.float64],
        table: NDArray[np.float64],
        summary_template: Result,
        statistics: NDArray[np.float64],
        status: list[str],
        messages: Mapping[int, str],
        end_times: NDArray[np.float64],
    ) -> None:
        self._template, self._summary_template = template, summary_template
        self.time, self._table, self._statistics = time, table, statistics
        self.status, self.messages, self.end_times = status, dict(messages), end_times
        self.attributes = template.attributes

    @classmethod
    def of_run(
        cls,
        plan: Plan,
        engines: list[Any],
        recording: SwarmRecording,
        status: list[str],
        messages: Mapping[int, str],
        wall: float,
        threads: int,
    ) -> SwarmResult:
        """The result of a run, whole or partial."""
        settings = plan.settings
        end_times = np.array([engine.time for engine in engines])
        simulated = float(np.sum(end_times - settings.start))
        steps = int(sum(engine.steps for engine in engines))
        attributes = {
            "solver": settings.solver, "step": settings.step, "start": settings.start, "requested_end": settings.end,
            "vehicles": len(engines), "steps": steps, "threads": threads, "wall_seconds": wall,
            "real_time_factor": simulated / len(engines) / wall if wall > 0.0 else float("inf"),
            "plan": plan.checksum, "keelblocks": version(), "numpy": np.__version__,
            **libraries_of(plan),
        }  # fmt: skip
        time, table = recording.finish(engines, [name == "end" for name in status])
        template = Result(time, recording.places, recording.columns, table[0], attributes)
        statistics = statistics_of(recording.fields, np.array([engine.summarised for engine in engines]))
        none = np.full((1, recording.fields.shape[1]), np.nan)
        summary = Result(np.zeros(1), recording.summarised, recording.summary_columns, none, attributes)
        return cls(template, time, table, summary, statistics, status, messages, end_times)

    @property
    def compiled(self) -> str:
        """By what it ran and why, where `compiled` was given; else ""."""
        return str(self.attributes.get("compiled", ""))

    @property
    def share_side_by_side(self) -> float:
        """The share of steps that vehicles took in the lanes of vectors, beside others; 0 where they run one by one."""
        return float(self.attributes.get("share_side_by_side", 0.0))

    def __contains__(self, name: str) -> bool:
        return name in self._template

    def __iter__(self) -> Iterator[str]:
        return iter(self._template)

    def __len__(self) -> int:
        """How many vehicles there are."""
        return len(self.status)

    def values(self, name: str) -> NDArray[np.float64]:
        """One quantity (vehicles, times, …); elements by "vessel.eta[psi]". Raises ResultError if not recorded."""
        self._template.values(name)  # checks it
        bare = name.partition("[")[0]
        place = self._template.places[bare]
        columns = self._template._columns[bare]
        if "[" in name:
            label = name.partition("[")[2].removesuffix("]")
            labels = self._template.labels(bare)
            return self._table[:, :, columns.start + (labels.index(label) if label in labels else int(label))]
        return self._table[:, :, columns].reshape((len(self), len(self.time), *place.shape))

    def __getitem__(self, name: str) -> xr.DataArray:
        self._template[name]  # checks it
        bare, _, element = name.partition("[")
        array: xr.DataArray = self.dataset[bare]
        if not element or array.ndim == 2:
            return array
        label = element.removesuffix("]")
        labels = self._template.labels(bare)
        chosen: xr.DataArray = array.isel({array.dims[2]: labels.index(label) if label in labels else int(label)})
        return chosen

    def vehicle(self, number: int) -> Result:
        """What one vehicle did, until it stopped. Raises ResultError if there is no such vehicle."""
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 0 <= number < len(self):
            raise ResultError(f"there are vehicles 0 to {len(self) - 1}, not {number!r}")
        kept = self.time <= self.end_times[number] + 1e-9 * float(self.attributes["step"])
        shared = ("solver", "step", "start", "requested_end", "plan", "keelblocks", "numpy")
        attributes = {
            "status": self.status[number], "message": self.messages.get(int(number), ""),
            "end": float(self.end_times[number]), **{name: self.attributes[name] for name in shared},
        }  # fmt: skip
        template = self._template
        return Result(self.time[kept], template.places, template._columns, self._table[number, kept], attributes)

    def statistic(self, name: str, which: str) -> NDArray[np.float64]:
        """One statistic of a summarised output: (vehicles, …). Raises ResultError."""
        if which not in STATISTICS:
            raise ResultError(f"there is no statistic '{which}'{did_you_mean(which, STATISTICS)}")
        places = self._summary_template.places
        if name not in places:
            raise ResultError(f"'{name}' was not summarised{did_you_mean(name, places)}")
        part = self._statistics[:, STATISTICS.index(which), self._summary_template._columns[name]]
        return part.reshape((len(self), *places[name].shape))

    @cached_property
    def dataset(self) -> xr.Dataset:
        """All that was recorded: dimensions vehicle and time, one more per vector, units in the attributes."""
        import xarray as xr

        single = self._template.dataset
        variables = {
            name: xr.DataArray(
                self.values(name), dims=["vehicle", *single[name].dims],
                coords=dict(single[name].coords), attrs=single[name].attrs,
            )
            for name in self._template.places
        }  # fmt: skip
        return xr.Dataset(variables, coords=self._coordinates() | {"time": single["time"]}, attrs=self.attributes)

    @cached_property
    def summary(self) -> xr.Dataset:
        """The summaries: dimensions vehicle and statistic, one more per vector."""
        import xarray as xr

        variables = {}
        for name in self._summary_template.places:
            single = self._summary_template.dataset[name].isel(time=0, drop=True)
            values = np.stack([self.statistic(name, which) for which in STATISTICS], axis=1)
            coords = {**single.coords, "statistic": list(STATISTICS)}
            dims = ["vehicle", "statistic", *single.dims]
            variables[name] = xr.DataArray(values, dims=dims, coords=coords, attrs=single.attrs)
        return xr.Dataset(variables, coords=self._coordinates(), attrs=self.attributes)

    def _coordinates(self) -> dict[str, Any]:
        return {
            "vehicle": np.arange(len(self)),
            "status": ("vehicle", self.status),
            "end_time": ("vehicle", self.end_times, {"units": "s"}),
        }

    def save(self, path: str | PathLike[str]) -> Path:
        """Write what was recorded, and the summaries as a group of their own, as NetCDF-4. Raises ResultError."""
        return save_as(path, {".nc": self._save_netcdf})

    def _save_netcdf(self, path: str) -> None:
        write_netcdf(self.dataset, path, {"summary": self.summary})

    def _ipython_key_completions_(self) -> list[str]:
        return self._template._ipython_key_completions_()

    def __repr__(self) -> str:
        recorded = f"{len(self.time)} points of {len(self._template.places)} quantities"
        return f"<SwarmResult: {len(self)} vehicles, {recorded}, {endings(self.status)}>"


def statistics_of(fields: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """(vehicles, STATISTICS, numbers) from mean, squared deviations, least and greatest."""
    mean, deviation, least, greatest = np.moveaxis(fields, -1, 0)
    variance = deviation / np.maximum(counts, 1)[:, None]
    spread = np.sqrt(variance)
    found = np.stack([mean, np.sqrt(mean**2 + variance), spread, 2.0 * spread, least, greatest], axis=1)
    found[counts == 0] = np.nan  # of a vehicle that could not start
    return found
