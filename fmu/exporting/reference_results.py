"""Results of an FMU's default experiment inside of it, so that tools which import it can check themselves.

The folder and its manifest are those of FMI-LS-REF 1.0.0-alpha.1 (Modelica Association, docs/index.adoc of commit
0432ca1e), the experiment is written as MA-HS-Experiments has it (schema of commit 2b887546), and the tables and options
as the FMI cross-check rules 4.1 want them.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ExportError
from cython_kernels import engine as native
from fmu.description.model import Model
from fmu.description.scalars import scalars
from fmu.description.variables import Variable
from fmu.exporting.manifest import document, manifest_root

FOLDER = "extra/org.fmi-standard.fmi-ls-ref"
VERSION = "1.0.0-alpha.1"
MOST_INTERVALS = 500
"""Between rows of the results: enough to see a run."""
_FEWEST_INTERVALS = 10
_BYTES = 1_000_000
"""Of a table: what the rules allow."""
_BYTES_OF_A_NUMBER = 25
"""At most, with what divides it from the next."""

_DESCRIPTION = "Layered Standard providing information on related files included in an FMU."
_NOTE = """\
Results of the default experiment, as Keelblocks computes them with the solver {solver}, and how to compare:

  {folder}/{name}_ref.csv  the outputs
{inputs}  {folder}/{name}_ref.opt  start, stop, communication step and tolerance, as the FMI cross-check rules have them
  {folder}/{name}.exp      the same as an experiment

{compared} {held}
"""
_COMPARED = {
    "cs": "In co-simulation, communication points at multiples of the step give these numbers to the last bit.",
    "me": "In model exchange the importing tool integrates, and comes as near to these numbers as its solver can.",
}


def reference_results(model: Model, fmi: str) -> dict[str, bytes]:
    """Files of an FMU by their paths: its default experiment, run here, with its inputs at their start values.

    Raises ExportError if the model has no outputs or too many, no end or one at its start, or fails on the way.
    """
    listed = model.listed if fmi == "3.0" else scalars(model.variables)
    outputs = [v for v in listed if v.causality == "output" and v.role == "port"]
    inputs = [v for v in listed if v.causality == "input"]
    settings = model.settings
    if not outputs:
        raise ExportError(f"reference results are of outputs, and '{model.name}' has none: declare some")
    if not math.isfinite(settings.end):
        raise ExportError("reference results need an end of the default experiment: give one, end=60 (--end 60)")
    step = _communication_step(settings.start, settings.end, settings.step, _intervals(model.name, outputs))
    rows = [*_run(model, outputs, step, settings.end)]
    name = model.identifier
    stop = rows[-1][0]
    if stop <= settings.start:
        raise ExportError(
            f"reference results are of a run, and '{model.name}' ends at its start, {stop:g} s: its end is there, or "
            "its stop signal is set there; let it run for a while, or leave the results out"
        )
    files = {f"{name}_ref.csv": table([v.name for v in outputs], rows)}
    if inputs:
        held = [[v.start if v.start is not None else np.zeros(v.place.count) for v in inputs]] * 2
        times = (settings.start, stop)
        files[f"{name}_in.csv"] = table([v.name for v in inputs], zip(times, held, strict=True))
    options = {
        "StartTime": settings.start, "StopTime": stop, "StepSize": min(step, stop - settings.start),
        "RelTol": settings.relative_tolerance, "AbsTol": settings.absolute_tolerance,
    }  # fmt: skip
    files[f"{name}_ref.opt"] = "".join(f"{key}, {value!r}\n" for key, value in options.items()).encode()
    files[f"{name}.exp"] = _experiment(name, options, f"{name}_in.csv" if inputs else None)
    files["fmi-ls-manifest.xml"] = _manifest(files)
    note = _NOTE.format(
        solver=settings.solver, folder=FOLDER, name=name,
        compared=" ".join(text for interface, text in _COMPARED.items() if interface in model.interfaces),
        inputs=f"  {FOLDER}/{name}_in.csv   the inputs\n" if inputs else "",
        held="Inputs stay at their start values." if inputs else "There are no inputs.",
    )  # fmt: skip
    found = {f"{FOLDER}/{file}": content for file, content in sorted(files.items())}
    return found | {"documentation/fmi-ls-ref.txt": note.encode()}


def _intervals(name: str, outputs: list[Variable]) -> int:
    """How many there may be in a table of these. Raises ExportError if they are too few to be results."""
    elements = sum(v.place.count for v in outputs)
    found = min(MOST_INTERVALS, _BYTES // (_BYTES_OF_A_NUMBER * (1 + elements)))
    if found < _FEWEST_INTERVALS:
        largest = sorted(outputs, key=lambda v: -v.place.count)[:3]
        raise ExportError(
            f"reference results of '{name}' would be more than the 1 MB that the cross-check rules allow: its outputs "
            f"have {elements} elements, {', '.join(f'{v.name} {v.place.count}' for v in largest)}"
            f"{', …' if len(outputs) > len(largest) else ''}; have fewer outputs, or leave the results out"
        )
    return found


def _communication_step(start: float, end: float, step: float, intervals: int) -> float:
    """1, 2, 5, 10, … times the solver's step, as few as make not more intervals."""
    least = (end - start) / step / intervals - 1e-9
    decades = (10**power * digit for power in itertools.count() for digit in (1, 2, 5))
    return float(f"{next(many for many in decades if many >= least) * step:.12g}")


Row = tuple[float, list[NDArray[np.float64]]]


def _run(model: Model, outputs: list[Variable], step: float, end: float) -> Iterator[Row]:
    """The outputs at the start, after every communication step, and at the end."""
    engine, start = model.plan.engine(), model.settings.start
    count = math.ceil((end - start) / step - 1e-9)
    status = engine.start(start)
    for k in range(count + 1):
        if k:
            status = engine.advance(end if k == count else start + k * step)
        if status not in (0, 2):
            raise ExportError(
                f"the reference results of '{model.name}' end at {engine.time:g} s: {native.STATUSES[status]}; "
                "run the model by `simulate`, which says more, or leave the results out"
            )
        yield engine.time, [engine.values[v.place.slice].copy() for v in outputs]
        if status == 2:  # the model has ended the run
            return


def table(names: Iterable[str], rows: Iterable[Row]) -> bytes:
    """A table as the cross-check rules have it; elements of an array with blanks between, as FMPy reads them."""
    lines = [",".join(f'"{name}"' for name in ("time", *names))]
    for time, columns in rows:
        cells = (" ".join(map(_number, np.ravel(numbers).tolist())) for numbers in columns)
        lines.append(",".join((_number(time), *cells)))
    return "".join(f"{line}\n" for line in lines).encode()


def _number(value: float) -> str:
    """The shortest that is read as the same number."""
    return repr(float(value))


def _experiment(name: str, options: dict[str, float], inputs: str | None) -> bytes:
    root = ET.Element("Experiments", name=name, description="the default experiment of the FMU")
    tolerance = {"tolerance": repr(options["RelTol"])}
    experiment = ET.SubElement(root, "Experiment", {"name": "default", **tolerance})
    keys = {"startTime": "StartTime", "stopTime": "StopTime", "stepSize": "StepSize"}
    ET.SubElement(experiment, "TransientSimulation", {key: repr(options[option]) for key, option in keys.items()})
    if inputs:
        ET.SubElement(experiment, "Stimuli", source=inputs)
    ET.SubElement(experiment, "References", source=f"{name}_ref.csv")
    return document(root)


_ROLES = {
    ".exp": ("experiment/smoke-test", "application/x-ma-hs-experiments", "the default experiment"),
    "_ref.csv": ("result", "text/csv", "outputs in the default experiment"),
    "_in.csv": ("other", "text/csv", "inputs in the default experiment"),
    "_ref.opt": ("configuration", "text/plain", "options of the default experiment, as for the FMI cross-check"),
}


def _manifest(files: dict[str, bytes]) -> bytes:
    root = manifest_root("org.fmi-standard.fmi-ls-ref", VERSION, _DESCRIPTION, "fmiReferences")
    for file, content in sorted(files.items()):
        role, kind, description = next(what for end, what in _ROLES.items() if file.endswith(end))
        checksum = hashlib.sha3_256(content).hexdigest()
        ET.SubElement(
            root, "Related", type=kind, source=file, role=role, description=description, checksum=checksum,
            checksumType="SHA3-256",
        )  # fmt: skip
    return document(root)
