"""A vehicle file from hydrodynamic data: a vessel with memory, the loads of waves on it, and a swell to try it in."""

from __future__ import annotations

import json
import shlex
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from blocks.block import Block
from blocks.errors import KeelblocksError
from blocks.hydro.dataset import frequency, in_waves
from blocks.hydro.dofs import DRIFT_DOFS, LATERAL, Array
from blocks.hydro.errors import HydroError
from blocks.vehicles.writing import WIDTH, folded, unit_and_source
from blocks.yaml.rendering import scalar

if TYPE_CHECKING:
    from blocks.hydro.seakeeping import SeakeepingModel

_DIGITS = 7
_NOTHING = 1e-9
"""Of the greatest: what is less is zero, of a hull whose sides are alike."""


@dataclass(frozen=True)
class Written:
    """The text of a vehicle file, how the memory was fitted, and what is left out."""

    text: str
    model: SeakeepingModel
    notes: tuple[str, ...]


def vessel_file(dataset: xr.Dataset, *, speed: float = 0.0, **options: Any) -> Written:
    """The text of a vehicle file, with the sections `dynamics`, a SeakeepingVessel, and `waves`, a WaveForceRAO.

    speed: at which the vessel begins, m/s; options: those of `vessel_parameters`, such as `roll_damping_ratio`. Without
    excitation in the data there is no section `waves`.

    Raises HydroError if the data do not make a vessel: inertia or stiffness are missing, headings leave a gap.
    """
    from blocks.dynamics import SeakeepingVessel
    from blocks.environment import WaveForceRAO
    from blocks.hydro.seakeeping import vessel_parameters

    model = vessel_parameters(dataset, speed=speed, **options)
    notes: list[str] = []
    sections: dict[str, tuple[type[Block], Mapping[str, Any], str, str]] = {
        "dynamics": (SeakeepingVessel, _tidy(model.parameters), "memory", _summary(model.text())),
    }
    if "excitation_force" in dataset and dataset.sizes["wave_direction"] > 1:
        loads = wave_parameters(dataset)
        try:
            WaveForceRAO(**loads)
        except KeelblocksError as problem:
            raise HydroError(f"the loads of waves make no table: {problem}") from None
        sections["waves"] = (WaveForceRAO, loads, "data", "loads on the hull at rest, as lags behind the crest")
    else:
        notes.append("the data have no loads of waves for two headings or more: there is no section 'waves'")
    return Written(_text(dataset, sections), model, tuple(notes))


def wave_parameters(dataset: xr.Dataset) -> dict[str, Any]:
    """The parameters of a `WaveForceRAO`: the loads of waves, and their mean drift if it is there.

    Raises HydroError if they are not there at all frequencies of waves.
    """
    waves = in_waves(dataset)
    load = waves["excitation_force"].transpose("influenced_dof", "omega", "wave_direction").values
    there = np.all(np.isfinite(load), axis=(0, 2))
    if np.count_nonzero(there) < 2:
        raise HydroError(f"loads of waves are there at {np.count_nonzero(there)} frequencies, and two are wanted")
    load = load[:, there]
    size = np.abs(load)
    for half in (slice(0, 3), slice(3, 6)):
        size[half][size[half] < _NOTHING * size[half].max()] = 0.0
    parameters: dict[str, Any] = {
        "frequencies": waves["omega"].values[there],
        "headings": waves["wave_direction"].values,
        "amplitude": size,
        "phase": np.where(size > 0.0, np.angle(load), 0.0),
    }
    if "mean_drift" in waves:
        drift = waves["mean_drift"].sel(drift_dof=list(DRIFT_DOFS)).transpose("drift_dof", "omega", "wave_direction")
        values = drift.values[:, there]
        if np.all(np.isfinite(values)):
            for row in values:
                row[np.abs(row) < _NOTHING * np.abs(values).max()] = 0.0
            parameters["mean_drift"] = values
    _close(parameters)
    return parameters


def _close(parameters: dict[str, Any]) -> None:
    """Lateral loads of waves from ahead and astern of a hull whose sides are alike: what rounding leaves of them."""
    headings = parameters["headings"]
    if abs(headings[0]) < 1e-6 and abs(headings[-1] - np.pi) < 1e-6:
        parameters["headings"] = np.concatenate([[0.0], headings[1:-1], [np.pi]])
        amplitude = parameters["amplitude"]
        for dof in LATERAL:
            for column in (0, -1):
                if amplitude[dof, :, column].max() < 1e-3 * max(amplitude[dof].max(), 1e-3 * amplitude.max()):
                    amplitude[dof, :, column] = 0.0


def _tidy(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Without what rounding leaves in matrices of a hull whose sides are alike."""
    tidy = dict(parameters)
    for name, value in parameters.items():
        matrix = np.asarray(value, dtype=np.float64)
        if matrix.shape == (6, 6):
            diagonal = np.sqrt(np.abs(np.diag(matrix)))
            scale = np.outer(diagonal, diagonal)
            tidy[name] = np.where(np.abs(matrix) > _NOTHING * np.maximum(scale, scale.max() * 1e-9), matrix, 0.0)
    return tidy


def _summary(report: str) -> str:
    """The report of a fit without its table."""
    lines = report.split("\npair", 1)[0].splitlines()
    return "; ".join(line.strip() for line in lines if line)


def _text(dataset: xr.Dataset, sections: Mapping[str, tuple[type[Block], Mapping[str, Any], str, str]]) -> str:
    about = dataset.attrs
    title = f"{about.get('title', 'hull')}, a hull in waves"
    text = "# From hydrodynamic data: keelblocks hull writes such a file, keelblocks show vehicle prints it.\n"
    text += f"title: {json.dumps(title, ensure_ascii=False)}\n"
    facts = [
        f"Hydrodynamic data by {about.get('source', 'a panel program')}",
        f"of {about['hull']}" if about.get("hull") else "",
        f"with {about['panels']} panels" if about.get("panels") else "",
        f"in water of {float(dataset['rho']):g} kg/m3, {_depth(float(dataset['water_depth']))}",
    ]
    text += folded("description", ", ".join(fact for fact in facts if fact) + _sizes(dataset), 0)
    waves = in_waves(dataset)["omega"].values
    text += folded(
        "validity",
        f"Small motions about the floating position, in waves of {waves.min():.3g} to {waves.max():.3g} rad/s; "
        f"axes forward, starboard, down, about {about.get('origin', 'the origin of the data')}. No manoeuvring "
        f"drag, no propulsion, no mooring.",
        0,
    )
    text += "\nreferences:\n"
    text += folded("data", str(about.get("source", "hydrodynamic data")) + _key(about), 2)
    text += folded("memory", "the data, with the memory of the water fitted by Keelblocks as the note says", 2)
    if "length" in dataset and "breadth" in dataset:
        text += "\ndimensions:\n"
        for name in ("length", "breadth"):
            value = _number(float(dataset[name]))
            text += f"  {name}: {{value: {value}, unit: m, source: data, note: of the wetted hull}}\n"
    text += "\nsections:\n"
    for name, (cls, parameters, source, note) in sections.items():
        text += f"  {name}:\n    type: {cls.type_name()}\n" + folded("note", note, 4) + "    parameters:\n"
        units = cls.all_parameters()
        for parameter, value in parameters.items():
            text += _entry(parameter, value, units[parameter].unit, source)
        text += "\n"
    return text.rstrip("\n") + "\n"


def _depth(depth: float) -> str:
    return f"{depth:g} m deep" if np.isfinite(depth) else "deep"


def _key(about: Mapping[str, Any]) -> str:
    return f", case {about['key']}" if about.get("key") else ""


def _sizes(dataset: xr.Dataset) -> str:
    """Main dimensions and stability, as far as they are known."""
    said = []
    for name, words in (("length", "L {} m"), ("breadth", "B {} m"), ("draught", "T {} m")):
        if name in dataset:
            said.append(words.format(f"{float(dataset[name]):.4g}"))
    if "inertia_matrix" in dataset:
        mass = float(dataset["inertia_matrix"][0, 0])
        said.append(f"{mass:.5g} kg")
        if "hydrostatic_stiffness" in dataset:
            said.append(f"GM {float(dataset['hydrostatic_stiffness'][3, 3]) / (mass * float(dataset['g'])):.3g} m")
    return f". {', '.join(said)}." if said else "."


def _number(value: float) -> str:
    """To some digits, without the sign of zero."""
    return repr(float(f"{value:.{_DIGITS}g}") + 0.0)


def _entry(name: str, value: Any, unit: Any, source: str) -> str:
    """A parameter: single numbers and rows in a line, matrices row by row, tables matrix by matrix."""
    array = np.asarray(value, dtype=np.float64)
    text = f"      {name}:\n"
    if array.ndim == 0:
        text += f"        value: {_number(float(array))}\n"
    else:
        text += "        value:\n" + _rows(array, 10)
    return text + unit_and_source(unit if isinstance(unit, str) else "", source)


def _rows(array: Array, indent: int) -> str:
    pad = " " * indent
    if array.ndim == 1:
        row = "[" + ", ".join(_number(float(value)) for value in array) + "]"
        lines = textwrap.wrap(row, WIDTH - indent + 12, break_long_words=False)
        return "".join(f"{pad}{'  ' if k else ''}{line}\n" for k, line in enumerate(lines))
    text = ""
    for part in array:
        inner = _rows(part, indent + 2)
        text += f"{pad}- {inner.lstrip()}"
    return text


def swell_scenario(dataset: xr.Dataset, name: str, vehicle: str, speed: float = 0.0) -> str:
    """A scenario with the vessel of a vehicle file, by its name there, in a regular head swell as long as it is.

    Motions in waves are parted from slow ones by twice the period: mean forces are those of the drift in the file.
    """
    g = float(dataset["g"])
    length = float(dataset["length"]) if "length" in dataset else 2.0 * np.pi * g / _middle(dataset) ** 2
    depth = float(dataset["water_depth"])
    k = 2.0 * np.pi / length
    period, amplitude = 2.0 * np.pi / frequency(k, depth, g), 0.01 * length
    floor = f", depth: {depth:g} m" if np.isfinite(depth) else ""
    given = f"slow_motion_time: {2.0 * period:.2g} s"
    if speed:
        given += f", initial_nu: [{_number(speed)}, 0, 0, 0, 0, 0]"
    named = scalar(vehicle)
    own = shlex.quote(f"{PurePath(vehicle).stem}_swell.yaml")
    return f"""# {name} in a swell as long as it is, from ahead. Run it, or take it away as an FMU:
#
#     keelblocks run {own}
#     keelblocks export {own}
#
# slow_motion_time is twice the period of the swell: its motions then make no mean force by Coriolis terms.
keelblocks: 1
name: {name}_swell
title: {json.dumps(str(dataset.attrs.get("title", name)) + " in a swell", ensure_ascii=False)}
diagram:
  blocks:
    sea:
      type: environment.RegularWave
      parameters: {{amplitude: {amplitude:.3g} m, period: {period:.4g} s, direction: 180 deg{floor}}}
    waves: {{type: environment.WaveForceRAO, vehicle: {named}}}
    vessel: {{type: dynamics.SeakeepingVessel, vehicle: {named}, parameters: {{{given}}}}}
  inputs:
    force: vessel.force
  connections:
    sea.waves: waves.waves
    vessel.eta: waves.eta
    waves.disturbance: vessel.disturbance
  outputs: {{eta: vessel.eta, nu: vessel.nu, load: waves.disturbance}}
run:
  solver: rk4
  step: {max(0.001, round(period / 200.0, 3)):g} s
  end: {20.0 * period:.0f} s
  inputs: {{force: [0, 0, 0, 0, 0, 0]}}     # of propellers, moorings and whoever else acts on it
report:
  plots:
    - vessel.eta[z]
    - vessel.eta[theta]
"""


def _middle(dataset: xr.Dataset) -> float:
    return float(np.median(in_waves(dataset)["omega"].values))
