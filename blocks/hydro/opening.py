"""One door to hydrodynamic data: from a mesh, a parametric hull, or results of another program."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blocks.hydro.errors import HydroError, HydroWarning

if TYPE_CHECKING:
    import xarray as xr

    from blocks.hydro.case import Case
    from blocks.hydro.hull import Hull

_log = logging.getLogger("keelblocks.hydro")

_MESH = ("draught", "scale", "origin", "panels", "even")
"""Options of `prepared`; the others are those of `Case`."""


def open(source: str | Path | Hull, *, cache: bool = True, **options: Any) -> xr.Dataset:
    """Hydrodynamic data of a hull, or from another program's results.

    A mesh (.stl, .gdf, .pnl, .dat) or a `Hull` is computed by Capytaine, with options of `prepared` (draught, scale,
    origin, panels, even) and of `Case` (rho, g, water_depth, omega, headings, gm, kg, radii, roll_damping, drift, lid).
    The same hull with the same options is computed once: then the data are those that were kept, and the log
    `keelblocks.hydro` says so. Anything else is read by `read_results`.

    Raises HydroError if the mesh or the results cannot be used, or Capytaine is needed and not installed; warns with
    HydroWarning of what wants a look.
    """
    from blocks.hydro.data_checks import reader_notes, remarks
    from blocks.hydro.hull import Hull
    from blocks.hydro.mesh_files import ENDINGS, read_mesh
    from blocks.hydro.readers import read_results

    if not isinstance(source, Hull):
        file = Path(source)
        if file.is_dir() or file.suffix.lower() not in ENDINGS:
            read: xr.Dataset = read_results(file, **options)
            _say(file.name, [*(reader_notes(read) if file.suffix.lower() != ".nc" else ()), *remarks(read)])
            return read
        source = read_mesh(file)
    case = case_of(source, **options)
    _say(source.name, case.warnings())
    for note in case.hull.notes:
        _log.info("%s: %s", source.name, note)
    data: xr.Dataset
    data, hit = case.compute(cache=cache)
    _log.info("%s: %s", source.name, f"taken from {case.kept()}" if hit else "computed")
    _say(source.name, remarks(data))
    return data


def _say(name: str, said: list[str]) -> None:
    """Warn of what wants a look, at the line that opened the data."""
    for remark in said:
        warnings.warn(f"{name}: {remark}", HydroWarning, stacklevel=3)


def case_of(hull: Hull, **options: Any) -> Case:
    """The case of a hull with options of `prepared` and of `Case`. Raises HydroError for one that there is not."""
    from dataclasses import fields

    from blocks.hydro.case import Case, prepared

    known = {one.name for one in fields(Case)} - {"hull"}
    for name in options:
        if name not in known and name not in _MESH:
            raise HydroError(
                f"there is no option '{name}'", code="unknown-parameter", wrong=name, valid=sorted({*known, *_MESH})
            )
    ready = prepared(hull, **{name: value for name, value in options.items() if name in _MESH})
    rest = {name: value for name, value in options.items() if name in known}
    for name in ("omega", "headings"):
        if name in rest:
            rest[name] = tuple(float(value) for value in rest[name])
    return Case(ready, **rest)
