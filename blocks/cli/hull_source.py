"""Where `keelblocks hull` takes a hull or its data from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blocks.errors import ScenarioError
from blocks.units import to_unit

if TYPE_CHECKING:
    import xarray as xr

    from blocks.hydro.hull import Hull


@dataclass(frozen=True)
class Form:
    """A parametric hull of `blocks.hydro.shapes`: what it wants, how many lengths, and a coefficient behind them."""

    metavar: str
    lengths: int
    help: str
    coefficient: bool = False


FORMS = {
    "box": Form("LxBxT", 3, "A barge with the form of a box: 100x20x5, in m."),
    "ship": Form("LxBxTxCB", 3, "A ship from its main dimensions and block coefficient: 120x20x7x0.65.", True),
    "wigley": Form("LxBxT", 3, "Wigley's hull, III of Journée."),
    "cylinder": Form("RxT", 2, "An upright circular cylinder, radius and draught."),
    "hemisphere": Form("R", 1, "The lower half of a sphere."),
    "spheroid": Form("LxD", 2, "The lower half of a spheroid."),
}


@dataclass(frozen=True)
class Source:
    """A hull to be computed, or data that are there; floats: whether the hull is at its draught already."""

    name: str
    hull: Hull | None = None
    data: xr.Dataset | None = None
    floats: bool = True
    radii: tuple[float | None, float | None, float | None] | None = None


def source_of(
    mesh: Path | None,
    forms: Mapping[str, str],
    vehicle: str | None,
    results: Path | None,
    numbers: Mapping[str, Any],
) -> Source:
    """What the options name. Raises ScenarioError if that is nothing, or several."""
    named = [
        *([str(mesh)] if mesh is not None else []),
        *(f"--{name}" for name in forms),
        *(["--vehicle"] if vehicle is not None else []),
        *(["--from"] if results is not None else []),
    ]
    if len(named) != 1:
        listed = " and ".join(named)
        raise ScenarioError(
            f"{listed} name several hulls: give one of them"
            if named
            else "name a hull: a mesh, keelblocks hull barge.stl --draught 2.5; main dimensions, --box 100x20x5 or "
            "--ship 120x20x7x0.65; a vehicle, --vehicle tito_neri; or results of another program, --from tanker.out"
        )
    panels = numbers["panels"] or 900
    if results is not None:
        from blocks.hydro.readers import read_results

        options = {"rho": numbers["density"]} if numbers["density"] else {}
        return Source(results.stem or results.name, data=read_results(results, **options))
    if vehicle is not None:
        from blocks.hydro.from_vehicle import hull_of_vehicle

        if numbers["draught"] is None:
            raise ScenarioError(f"--vehicle {vehicle} wants its draught: --draught 0.1")
        hull, radii = hull_of_vehicle(
            vehicle, draught=numbers["draught"], rho=numbers["density"] or 1025.0, panels=panels
        )
        return Source(Path(vehicle).stem, hull=hull, radii=radii)
    if mesh is not None:
        from blocks.hydro.mesh_files import read_mesh

        return Source(mesh.stem, hull=read_mesh(mesh), floats=False)
    ((name, text),) = forms.items()
    hull = _parametric(name, text, panels)
    return Source(hull.name, hull=hull)


def _parametric(name: str, text: str, panels: int) -> Hull:
    """A hull of lengths as "100x20x5". Raises ScenarioError."""
    from blocks.hydro import shapes

    form = FORMS[name]
    parts = text.lower().replace("×", "x").split("x")
    wanted = form.lengths + form.coefficient
    if len(parts) != wanted:
        raise ScenarioError(f"--{name} wants {form.metavar}, {wanted} numbers with x between them, not {text}")
    try:
        lengths = [to_unit(part.strip(), "m") for part in parts[: form.lengths]]
        more = [float(part) for part in parts[form.lengths :]]
    except ValueError as problem:
        raise ScenarioError(f"--{name} {text}: {problem}") from None
    hull: Hull = getattr(shapes, name)(*lengths, *more, panels=panels)
    return hull
