"""Results: what a run recorded, with units; as NumPy arrays or xarray, saved as NetCDF, CSV or Parquet."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from blocks.binary.netcdf import write_variables
from blocks.errors import KeelblocksError, shown
from blocks.files.writing import path_of, replacing
from blocks.model.block import Block
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.run.diverged import diverged
from blocks.run.formats import writers_for
from blocks.run.named import called_so, with_elements
from blocks.run.stored import read_dataset, recorded_in

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from blocks.run.recording import Recording


_TIME = {"units": "s", "long_name": "simulated time"}


class ResultError(KeelblocksError):
    """A result cannot be read, written or asked for what it does not hold."""


@dataclass(frozen=True)
class Ran:
    """What a result is of: the plan, the inputs at its end, by name, and which points of the grid were recorded."""

    plan: Plan
    inputs: Mapping[str, NDArray[np.float64]]
    every: int


class Result:
    """What a run recorded.

    `result["vessel.eta"]` is an xarray DataArray with units; `values("vessel.eta")` the bare array of shape
    (times, …); `time` the times, s; `dataset` all of it. `attributes` say how it was made: solver, step or tolerances,
    versions, wall time.
    """

    def __init__(
        self,
        time: NDArray[np.float64],
        places: dict[str, Place],
        columns: dict[str, slice],
        table: NDArray[np.float64],
        attributes: dict[str, Any],
    ) -> None:
        self.time = time
        self.places = places
        self._columns = columns
        self._table = table
        self.attributes = attributes
        self.blocks: Mapping[str, Block] = {}
        """The blocks that ran, by name, where that is known: logs take covariances from those of sensors."""
        self.topics: Mapping[str, Any] | None = None
        """What a log has of it, where its scenario says so, see `blocks.live.logs`."""
        self.ran: Ran | None = None
        """What ran, where that is known: pages run it again."""
        self.scenario: Any = None
        """The scenario that ran, if one did."""
        self.path: Path | None = None
        """The file that it was read from, if it was."""
        self._dataset: xr.Dataset | None = None

    @classmethod
    def of_run(cls, plan: Plan, engine: Any, recording: Recording, status: str, message: str, wall: float) -> Result:
        """The result of a run, whole or partial."""
        settings = plan.settings
        adaptive = settings.solver not in ("euler", "heun", "rk4")
        how: dict[str, Any] = {"solver": settings.solver, "step": settings.step}
        if adaptive:
            how |= {
                "relative_tolerance": settings.relative_tolerance,
                "absolute_tolerance": settings.absolute_tolerance,
            }
        simulated = float(engine.time) - settings.start
        attributes = {
            "status": status,
            "message": message,
            **how,
            "start": settings.start,
            "end": float(engine.time),
            "requested_end": settings.end,
            "steps": int(engine.steps),
            "evaluations": int(engine.evaluations),
            "wall_seconds": wall,
            "real_time_factor": simulated / wall if wall > 0.0 else float("inf"),
            "plan": plan.checksum,
            "keelblocks": version(),
            **libraries_of(plan),
            "numpy": np.__version__,
        }
        table = recording.table.copy()
        if status in ("end", "stopped") and (grown := diverged(plan, engine.values, recording.columns, table)):
            attributes["diverged"] = grown
        made = cls(recording.time.copy(), recording.places, recording.columns, table, attributes)
        made.blocks = {leaf.name: leaf.block for leaf in plan.flat.leaves}
        return made

    def __getstate__(self) -> dict[str, Any]:
        """For other processes: without what ran, of which not all can go there."""
        return self.__dict__ | {"blocks": {}, "ran": None, "scenario": None}

    @property
    def status(self) -> str:
        """ "end", "stopped" (by the stop signal), "failed" or "interrupted"."""
        return str(self.attributes["status"])

    @property
    def compiled(self) -> str:
        """By what it ran and why, "compiled: in 1.1 s", where `compiled` was given; else ""."""
        return str(self.attributes.get("compiled", ""))

    @functools.cached_property
    def time_increases(self) -> bool:
        """Whether each point is later than the one before."""
        return bool(np.all(np.diff(self.time) > 0.0))

    def __copy__(self) -> Result:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def __contains__(self, name: str) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.time)

    def values(self, name: str) -> NDArray[np.float64]:
        """One quantity as an array (times, …); elements by "vessel.eta[psi]". Raises ResultError if not recorded."""
        bare, _, element = _text(name).partition("[")
        place = self._place(bare)
        array = self._table[:, self._columns[bare]]
        if element:
            label = element.removesuffix("]")
            labels = self.labels(bare)
            if label in labels:
                return array[:, labels.index(label)]
            if label.isdigit() and int(label) < place.count:
                return array[:, int(label)]
            valid = labels or tuple(map(str, range(place.count)))
            raise ResultError(f"{bare} has no element '{label}'", code="unknown-element", wrong=label, valid=valid)
        return array.reshape((len(self.time), *place.shape))

    def _place(self, name: str) -> Place:
        if name not in self.places:
            hint = "result.time has the times" if name == "time" else called_so(name, self.places)
            said = f"'{name}' was not recorded"
            raise ResultError(said, code="unknown-output", wrong=name, valid=self.places, hint=hint)
        return self.places[name]

    def __getitem__(self, name: str) -> xr.DataArray:
        if name == "time":
            return self.dataset["time"]
        bare, _, element = _text(name).partition("[")
        self._place(bare)
        array: xr.DataArray = self.dataset[bare]
        if not element:
            return array
        label = element.removesuffix("]")
        self.values(name)  # checks the label
        if array.ndim == 1:
            return array
        labels = self.labels(bare)
        chosen: xr.DataArray = array.isel({array.dims[1]: labels.index(label) if label in labels else int(label)})
        return chosen

    def labels(self, name: str) -> tuple[str, ...]:
        """The names of the elements of a quantity, or nothing if they have none."""
        place = self._place(name)
        labels = place.signal.labels if place.signal else ()
        return labels if place.shape == (len(labels),) else ()

    def element_units(self, name: str) -> tuple[str, ...]:
        """The unit of each element of a quantity."""
        place = self._place(name)
        unit = place.unit
        return unit if isinstance(unit, tuple) else (unit or "1",) * place.count

    @property
    def dataset(self) -> xr.Dataset:
        """Everything as an xarray Dataset: dimension `time`, one dimension per vector, units in the attributes."""
        if self._dataset is None:
            import xarray as xr

            variables = {name: self._array(name) for name in self.places}
            time = xr.DataArray(self.time, dims="time", attrs=_TIME)
            self._dataset = xr.Dataset(variables, coords={"time": time}, attrs=dict(self.attributes))
        return self._dataset

    def _array(self, name: str) -> xr.DataArray:
        import xarray as xr

        dims, attributes = self._described(name)
        labels = self.labels(name)
        coords = {dims[1]: list(labels)} if labels else {}
        return xr.DataArray(self.values(name), dims=dims, coords=coords, attrs=attributes)

    def _described(self, name: str) -> tuple[list[str], dict[str, str]]:
        """The dimensions of a quantity, and what a dataset says of it."""
        place = self._place(name)
        units = self.element_units(name)
        attributes = {"units": units[0] if len(set(units)) == 1 else " ".join(units), "long_name": place.doc or name}
        signal = place.signal
        if signal is not None and signal.frame:
            attributes["frame"] = signal.frame
        if labels := self.labels(name):
            return ["time", self._labelled_dimensions[labels]], attributes
        kinds = ("element",) if len(place.shape) == 1 else tuple(f"axis{i + 1}" for i in range(len(place.shape)))
        return ["time", *(self._free(f"{name}_{kind}", ()) for kind in kinds[: len(place.shape)])], attributes

    @functools.cached_property
    def _labelled_dimensions(self) -> dict[tuple[str, ...], str]:
        """A dimension for each set of names of elements: xarray would fill up with gaps what has others."""
        found: dict[tuple[str, ...], str] = {}
        for name, place in self.places.items():
            labels = self.labels(name)
            if labels and labels not in found and place.signal is not None:
                found[labels] = self._free(f"{place.signal.name}_element", found.values())
        return found

    def _free(self, wanted: str, taken: Iterable[str]) -> str:
        """The name for a dimension, told apart from others and from quantities of that name."""
        names = {*taken, *self.places, "time"}
        if wanted not in names:
            return wanted
        return next(f"{wanted}_{i}" for i in itertools.count(2) if f"{wanted}_{i}" not in names)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write to .nc (NetCDF-4), .csv, .parquet, or what packages offer by the entry point `keelblocks.results`.

        Raises ResultError if that is not possible.
        """
        own = {".nc": self._save_netcdf, ".csv": self._save_csv, ".parquet": self._save_parquet}
        return save_as(path, own, brought=lambda: writers_for(self, own))

    def plot(
        self, *signals: str | Sequence[str], title: str = "", since: float | str | None = None,
        until: float | str | None = None,
    ) -> Figure:  # fmt: skip
        """A matplotlib Figure of signals over time, angles in degrees and shaft speeds in rpm.

        signals: "vessel.eta", "vessel.eta[psi]", patterns such as "vessel.*", or the name of a `Scope` block. Signals
            that are named in full share a panel for each unit, as do those of a list; one that a pattern finds has a
            panel of its own for each unit. None: the scopes of the diagram, or else all that changes.
        since, until: the part of the run that is shown, s.

        Raises ResultError if one was not recorded.
        """
        figure: Figure = _report().plot(self, signals, title, since, until)
        return figure

    def mission(self, title: str = "") -> Figure:
        """The mission on one page, as `keelblocks run` draws it: plan view, numbers, and all plots.

        Raises ResultError if the run has no mission along waypoints, or what tells of it was not recorded.
        """
        figure: Figure = _report().mission(self, title)
        return figure

    def summary(self) -> str:
        """What `keelblocks run` prints: how the mission went, if it had one, and how it was computed."""
        return str(_report().summary(self))

    def _repr_html_(self) -> str:
        return str(_report().html(self))

    def _ipython_key_completions_(self) -> list[str]:
        return with_elements(self.places)

    def _save_netcdf(self, path: str) -> None:
        variables: dict[str, Any] = {"time": (["time"], self.time, _TIME)}
        for name in self.places:
            dims, attributes = self._described(name)
            if labels := self.labels(name):
                variables.setdefault(dims[1], (dims[1:], labels, {}))
            variables[name] = dims, self.values(name), attributes
        write_variables(path, variables, self.attributes)

    def headers(self) -> list[str]:
        """A name per column, with the unit: "vessel.eta[psi] [rad]"."""
        names = []
        for name, place in self.places.items():
            units = self.element_units(name)
            labels = self.labels(name)
            for i in range(place.count):
                element = f"[{labels[i] if i < len(labels) else i}]" if place.shape else ""
                names.append(f"{name}{element} [{units[i]}]")
        return names

    def _save_csv(self, path: str) -> None:
        header = ",".join(["time [s]", *self.headers()])
        table = np.column_stack([self.time, self._table])
        np.savetxt(path, table, delimiter=",", header=header, comments="", fmt="%.17g", encoding="utf-8")

    def _save_parquet(self, path: str) -> None:
        pa, pq = pyarrow()
        columns = [self.time, *self._table.T]
        table = pa.table(dict(zip(["time [s]", *self.headers()], columns, strict=True)))
        pq.write_table(table, path)

    @classmethod
    def load(cls, path: str | PathLike[str], scenario: Any = None) -> Result:
        """Read the NetCDF result of a run, which shows itself as it did then.

        scenario: what ran, a `Scenario` or the path of one, as `keelblocks run` writes it beside the result: with it
            there is `mission()`, and a summary of it.

        Raises ResultError if the file is none, or if the scenario has not what was recorded; what `Scenario.load`
        raises. A file that is not as Keelblocks wrote it is read in a process of its own, which takes some tenths of a
        second more the first time, and which may fail over it.
        """
        dataset = cls.load_dataset(path)
        if "status" not in dataset.attrs:
            raise ResultError(f"{path} is the result of a swarm or a study: Result.load_dataset reads it")
        loaded = cls(*recorded_in(dataset), dict(dataset.attrs))
        loaded.path = Path(path)
        loaded._dataset = dataset
        if scenario is not None:
            _report().know(loaded, scenario)
        return loaded

    @staticmethod
    def load_dataset(path: str | PathLike[str]) -> xr.Dataset:
        """A NetCDF result of a run, a swarm or a study as xarray has it. Raises ResultError if the file is none."""
        return read_dataset(path, ResultError)

    def __repr__(self) -> str:
        return f"<Result: {len(self.time)} points of {len(self.places)} quantities, {self.status}>"


def _text(name: object) -> str:
    """A name. Raises ResultError if it is none."""
    if not isinstance(name, str):
        raise ResultError(f"a result is asked by the name of a quantity, such as 'vessel.eta', not {shown(name)}")
    return name


def _report() -> Any:
    """What shows results: it builds on them, so it is found by its name, and loaded when something is to be seen."""
    return importlib.import_module("blocks.report.of_result")


Writers = Mapping[str, Callable[[str], None]]
"""Functions that write a file of this path, by its ending."""


def save_as(path: str | PathLike[str], writers: Writers, brought: Callable[[], Writers] = dict) -> Path:
    """Write a file at once, by the writer for its ending. Raises ResultError if there is none, or it cannot be.

    `brought` gives the writers that are looked for only where `writers` has none for that ending.
    """
    target = path_of(path, "a file to write", ResultError)
    if target.suffix not in writers:
        writers = {**writers, **brought()}
    if target.suffix not in writers:
        raise ResultError(f"{target}: the ending must be {'one of ' if len(writers) > 1 else ''}{', '.join(writers)}")
    try:
        with replacing(target) as part:
            writers[target.suffix](str(part))
    except OSError as problem:
        raise ResultError(f"cannot write {target}: {problem.strerror or problem}") from None
    return target


def pyarrow() -> tuple[Any, Any]:
    """pyarrow and its module for Parquet. Raises ResultError, which says how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ResultError("Parquet needs pyarrow: pip install 'keelblocks[parquet]'") from None
    return pyarrow, pyarrow.parquet


def libraries_of(plan: Plan) -> dict[str, str]:
    """The attribute that names the compiled libraries whose kernels ran; none where there are none."""
    named = ", ".join(f"{name} {digest}" for name, digest in plan.digests.items())
    return {"libraries": named} if named else {}


def version() -> str:
    """The installed version of keelblocks."""
    try:
        return importlib.metadata.version("keelblocks")
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
