"""Write the folders of the cross-check: FMUs, results by `simulate`, inputs, options; equal bytes each time."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fmu
from benchmarks.cross_check.models import MODELS, Model
from benchmarks.cross_check.rules import TOOL, Exported, Place
from blocks import simulate
from fmu import runtime
from fmu.exporting.reference_results import table
from fmu.notices import ExportWarning

README = """\
# {name}

{about}. Exported by Keelblocks {release} for FMI {version}, {interface}, {platform}.

`{name}_ref.csv` is what `simulate` gives: {solver}, a row every {interval:g} s. {how}
Inputs are held between their times. A result agrees where each variable is within {tolerance:g} of its range, `RelTol`;
{jumps}.
"""
SOLVERS: dict[str, dict[str, Any]] = {
    "cs": {"solver": "rk4"},
    "me": {"solver": "dopri5", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-12},
}
"""Of the reference. FMUs for co-simulation have the same in them; what others solve is held against what is precise."""


@dataclass(frozen=True)
class Wanted:
    """One FMU to write."""

    model: Model
    place: Place


def platforms() -> list[str]:
    """Those that there is a runtime for, by the names of the cross-check; one for both processors of darwin."""
    return list(dict.fromkeys(runtime.folder(name, "2.0") for name in runtime.platforms()))


def wanted(models: Iterable[Model] = MODELS) -> list[Wanted]:
    """All that can be exported here."""
    here = runtime.fmi_platform()[0]
    return [
        Wanted(model, Place(fmi, interface, platform, version(TOOL.lower()), model.name))
        for model in models
        for fmi in model.versions
        for interface in model.interfaces
        for platform in ([here] if model.own_binary else platforms())
    ]


def export_all(what: Iterable[Wanted], root: Path) -> Iterator[Exported]:
    """Write FMUs with all that belongs to them below a folder, one by one."""
    references: dict[tuple[str, str], Mapping[str, NDArray[np.float64]]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for one in what:
            key = (one.model.name, one.place.interface)
            if key not in references:
                references[key] = reference(one.model, one.place.interface, Path(scratch))
            yield _export(one, root, references[key], Path(scratch))


def reference(model: Model, interface: str, scratch: Path) -> dict[str, NDArray[np.float64]]:
    """A run in this process: "time" and the outputs of the diagram by name, a row for each communication point."""
    diagram = model.make(scratch)
    inputs = {name: (*_series(moves), "hold") for name, moves in model.inputs.items()}
    run = simulate(
        diagram, model.end, step=model.step, every=round(model.interval / model.step), inputs=inputs,
        record=list(diagram.output_ports), **SOLVERS[interface],
    )  # fmt: skip
    return {"time": np.asarray(run.time), **{name: run.values(name) for name in diagram.output_ports}}


def _series(moves: Any) -> tuple[list[float], list[Any]]:
    times, values = zip(*moves, strict=True)
    return list(times), list(values)


def _export(one: Wanted, root: Path, run: Mapping[str, NDArray[np.float64]], scratch: Path) -> Exported:
    model, place = one.model, one.place
    folder = place.exported(root)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExportWarning)
        fmu.export(
            model.make(scratch), folder / f"{model.name}.fmu", name=model.name, step=model.step, end=model.end,
            fmi=place.version, interfaces=place.interface, platforms=[place.platform],
            **model.versions[place.version],
        )  # fmt: skip
    columns = zip(*(_column(run, name) for name in model.shown), strict=True)
    (folder / f"{model.name}_ref.csv").write_bytes(table(model.shown, zip(run["time"], columns, strict=True)))
    arrays = place.version == "3.0" and model.versions["3.0"].get("arrays", True)
    if model.inputs:
        (folder / f"{model.name}_in.csv").write_bytes(_inputs(model, arrays))
    fixed = place.interface == "cs"
    options = {
        "StartTime": 0.0, "StopTime": model.end, "StepSize": model.step if fixed else 0.0,
        "RelTol": model.tolerance[place.interface], "OutputIntervalLength": model.interval,
    }  # fmt: skip
    text = "".join(f"{key}, {value!r}\n" for key, value in options.items())
    (folder / f"{model.name}_ref.opt").write_text(text, encoding="utf-8")
    said = README.format(
        name=model.name, about=model.about[0].upper() + model.about[1:], release=place.release, version=place.version,
        interface={"cs": "co-simulation", "me": "model exchange"}[place.interface], platform=place.platform,
        interval=model.interval, tolerance=options["RelTol"],
        solver=f"`rk4` with a fixed step of {model.step:g} s" if fixed else "`dopri5` within 1e-10",
        how="That is the communication step, too." if fixed else "The solver of the tool may be any that is precise.",
        jumps="rows are of the same times" if fixed else "discrete ones may jump a row sooner or later",
    )  # fmt: skip
    (folder / "README.md").write_text(said, encoding="utf-8")
    return Exported(folder)


def _column(run: Mapping[str, NDArray[np.float64]], name: str) -> NDArray[np.float64]:
    """A variable by its name in FMI: an element of an output, counted from 1, or all of it."""
    port, bracket, index = name.partition("[")
    values = run[port]
    return values[:, int(index.removesuffix("]")) - 1] if bracket else values


def _inputs(model: Model, arrays: bool) -> bytes:
    """Rows as the rules have jumps: one with the old values and one with the new, at the same time."""
    jumps = sorted({time for moves in model.inputs.values() for time, _ in moves if 0.0 < time < model.end})
    rows = [(0.0, _given(model, 0.0, arrays))]
    for time in jumps:
        rows += [(time, rows[-1][1]), (time, _given(model, time, arrays))]
    rows.append((model.end, rows[-1][1]))
    names = [
        name if arrays or np.ndim(moves[0][1]) == 0 else f"{name}[{i + 1}]"
        for name, moves in model.inputs.items()
        for i in range(1 if arrays else np.size(moves[0][1]))
    ]
    return table(names, rows)


def _given(model: Model, time: float, arrays: bool) -> list[NDArray[np.float64]]:
    """What each column of the inputs has from a time on."""
    latest = [np.atleast_1d([value for t, value in moves if t <= time][-1]) for moves in model.inputs.values()]
    return latest if arrays else [np.asarray(element) for values in latest for element in values]
