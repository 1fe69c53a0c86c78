"""`keelblocks hull`: from a hull to a vessel in waves."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.hull_source import FORMS, Source, source_of
from blocks.cli.lab.files import written
from blocks.errors import ScenarioError
from blocks.units import to_unit

if TYPE_CHECKING:
    import xarray as xr

    from blocks.hydro.case import Case
    from blocks.hydro.vessel_file import Written


def _form_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """An option for each parametric hull."""
    for name, form in reversed(FORMS.items()):
        command = click.option(f"--{name}", metavar=form.metavar, help=form.help)(command)
    return command


@click.command(
    "hull", short_help="Make a vessel in waves of a hull: mesh, main dimensions, or another program's results."
)
@click.argument("mesh", metavar="[MESH]", required=False, type=click.Path(path_type=Path))
@_form_options
@click.option("--vehicle", metavar="NAME|FILE", help="A hull of a vehicle's dimensions and mass, with --draught.")
@click.option(
    "--from",
    "results",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Results of WAMIT (.out, .1), ShipX (.re7), or data in NetCDF; or the folder of a run of NEMOH or HAMS.",
)
@click.option(
    "--draught", metavar="LENGTH", help="How deep the lowest point lies; else z = 0 of the mesh is the waterline."
)
@click.option("--scale", metavar="NUMBER", help="Of the mesh's coordinates: 0.001 for mm.")
@click.option(
    "--origin",
    type=click.Choice(("midships", "mesh")),
    default="midships",
    show_default=True,
    help="The body origin: the middle of the wetted length, or the mesh's own, in the waterline.",
)
@click.option("--panels", metavar="NUMBER", help="About how many, of the whole hull; 900 if not given.")
@click.option("--gm", metavar="LENGTH", help="Metacentric height GM.")
@click.option("--kg", metavar="LENGTH", help="Height of the centre of gravity above the lowest point, instead of --gm.")
@click.option(
    "--radii", metavar="LENGTHS", help="Of gyration in roll, pitch and yaw: 7,25,25; 0.35 B and 0.25 L if not given."
)
@click.option("--depth", metavar="LENGTH", help="Of the water; deep if not given.")
@click.option("--density", metavar="DENSITY", help="Of the water; 1025 kg/m^3 if not given.")
@click.option(
    "--speed", metavar="SPEED", help='At which the vessel begins: 5, or "10 kn"; its terms of speed are its own.'
)
@click.option("--roll-damping", metavar="NUMBER", help="Viscous, of critical: 0.05; potential flow has next to none.")
@click.option(
    "--accuracy",
    metavar="NUMBER",
    help="Of the memory's fit, of the greatest response: 0.004 if not given; 0.02 is coarse, of half the states.",
)
@click.option("--no-drift", is_flag=True, help="Leave the mean drift out.")
@click.option("--no-cache", is_flag=True, help="Compute anew what is kept from an earlier time.")
@click.option(
    "--figure", metavar="FILE", type=click.Path(path_type=Path), help="Draw coefficients, excitation, motions, drift."
)
@click.option("--data", metavar="FILE", type=click.Path(path_type=Path), help="Write the hydrodynamic data, .nc.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The vehicle file to write, .yaml, with FILE_swell.yaml beside it; or the FMU of that, .fmu.",
)
@click.option("--force", is_flag=True, help="Replace files that are there already.")
@click.pass_context
def hull_command(
    ctx: click.Context,
    /,
    mesh: Path | None,
    vehicle: str | None,
    results: Path | None,
    speed: str | None,
    roll_damping: str | None,
    no_cache: bool,
    figure: Path | None,
    data: Path | None,
    output: Path | None,
    force: bool,
    **given: Any,
) -> int:
    """Make a vessel in waves of a hull.

    MESH is an .stl, or the panels of WAMIT (.gdf), NEMOH (.dat) or HAMS (.pnl): axes forward, port, up. It is cut at
    the waterline, checked, given even panels, and computed by Capytaine (pip install 'keelblocks[hydro]'): added mass,
    radiation damping, excitation, motions, drift. The same hull is computed once, then kept. What comes out is a
    vehicle file with two sections: dynamics, a SeakeepingVessel, which remembers its waves, and waves, a WaveForceRAO;
    and a scenario with both in a swell, to run, change and export.

    \b
    Examples:
        keelblocks hull barge.stl --draught 2.5 --gm 1.2 -o barge.yaml --figure barge.png
        keelblocks run barge_swell.yaml
        keelblocks export barge_swell.yaml
        keelblocks hull ferry.stl --scale 0.001 --draught "5.2 m" --gm 1.8 --speed "15 kn" -o ferry.fmu
        keelblocks hull --box 100x20x5 --gm 2 -o barge.yaml
        keelblocks hull --ship 120x20x7x0.65 --gm 1 --roll-damping 0.05 -o ship.yaml
        keelblocks hull --vehicle tito_neri --draught "0.1 m" --gm "0.05 m" --density 1000 -o tug.yaml
        keelblocks hull --from tanker.out -o tanker.yaml
    """
    numbers: dict[str, Any] = {
        name: None if given[name] is None else quantity(given[name], unit, name) for name, unit in _UNITS.items()
    }
    numbers["speed"] = 0.0 if speed is None else quantity(speed, "m/s", "speed", least=0.0)
    numbers |= {"roll_damping": _part(roll_damping), "panels": _whole(given["panels"]), "radii": _three(given["radii"])}
    forms = {name: given[name] for name in FORMS if given[name] is not None}
    _taken(forms, vehicle, results, {name: value for name, value in given.items() if name not in FORMS})
    source = source_of(mesh, forms, vehicle, results, numbers)
    target = output or Path(f"{_slug(source.name)}.yaml")
    files = _files(target)
    for file in files:
        if file.exists() and not force:
            raise ScenarioError(f"{file} is there already: --force replaces it, --output names another file")
    _endings(figure, data)
    from blocks.hydro.data_checks import reader_notes, remarks

    found = source.data if source.data is not None else _computed(source, numbers, given, not no_cache)
    for remark in (*(reader_notes(found) if source.data is not None else ()), *remarks(found)):
        console.note(remark)
    if data is not None:
        from blocks.hydro.files import save

        save(found, data)
        console.output().print(f"wrote {data}: hydrodynamic data", soft_wrap=True, markup=False)
    if figure is not None:
        from blocks.hydro.figures import hydrodynamics_figure

        written(figure, hydrodynamics_figure(found).savefig)
        console.output().print(f"wrote {figure}", soft_wrap=True, markup=False)
    _write(ctx, found, target, files, numbers)
    return OK


def _taken(forms: dict[str, str], vehicle: str | None, results: Path | None, given: dict[str, Any]) -> None:
    """Refuse options that what the hull comes from leaves no room for."""
    others: tuple[str, ...]
    if results is not None:
        source, others = "--from", ("draught", "scale", "panels", "gm", "kg", "radii", "depth", "no_drift")
        why = "results of another program have their own; compute the hull anew, from its mesh, to change them"
    elif vehicle is not None:
        source, others, why = "--vehicle", ("scale",), "its file has lengths with their units"
    elif forms:
        source, others = f"--{next(iter(forms))}", ("draught", "scale")
        why = "the hull has its draught among its dimensions, and these may have units"
    else:
        return
    wrong = [f"--{name.replace('_', '-')}" for name in others if given[name] not in (None, False)]
    if wrong:
        raise ScenarioError(f"{' and '.join(wrong)} cannot stand beside {source}: {why}")


_UNITS = {
    "draught": "m", "gm": "m", "kg": "m", "depth": "m", "density": "kg/m^3", "scale": "1", "accuracy": "1",
}  # fmt: skip


def quantity(text: str, unit: str, option: str, least: float | None = None) -> float:
    """An option as a number in SI. Raises ScenarioError."""
    try:
        value = to_unit(text, unit)
    except ValueError as problem:
        raise ScenarioError(f"--{option.replace('_', '-')}: {problem}") from None
    if not (value > 0.0 if least is None else value >= least) or value == float("inf"):
        raise ScenarioError(
            f"--{option.replace('_', '-')} must be {'above' if least is None else 'at least'} 0, not {text}"
        )
    return float(value)


def _part(text: str | None) -> float:
    value = 0.0 if text is None else quantity(text, "1", "roll-damping", least=0.0)
    if value >= 1.0:
        raise ScenarioError(f"--roll-damping is a part of critical damping, such as 0.05, not {text}")
    return value


def _slug(name: str) -> str:
    slug = re.sub(r"[\W_]+", "_", name.lower()).strip("_") or "hull"
    return slug if slug[0].isalpha() else f"hull_{slug}"


def _files(target: Path) -> list[Path]:
    """All files that are written: vehicle file, scenario, and the FMU if there is one."""
    if target.suffix not in (".yaml", ".yml", ".fmu"):
        raise ScenarioError(f"--output {target}: name a file that ends in .yaml, or in .fmu")
    vehicle = target.with_suffix(".yaml") if target.suffix == ".fmu" else target
    swell = vehicle.with_name(f"{vehicle.stem}_swell.yaml")
    return [vehicle, swell, *([target] if target.suffix == ".fmu" else [])]


def _endings(figure: Path | None, data: Path | None) -> None:
    """What figure and data are written as, said before minutes go into them."""
    if data is not None and data.suffix != ".nc":
        raise ScenarioError(f"--data {data}: name a file that ends in .nc")
    if figure is not None:
        from matplotlib.backend_bases import FigureCanvasBase

        known = FigureCanvasBase.get_supported_filetypes()
        if figure.suffix[1:].lower() not in known:
            raise ScenarioError(f"--figure {figure}: name a file that ends in .{', .'.join(sorted(known))}")


def _computed(source: Source, numbers: dict[str, Any], given: dict[str, Any], cache: bool) -> xr.Dataset:
    """By Capytaine, with a progress bar; remarks on the mesh first, and what came out."""
    from blocks.hydro.opening import case_of

    assert source.hull is not None
    options: dict[str, Any] = {
        "draught": None if source.floats else numbers["draught"], "gm": numbers["gm"], "kg": numbers["kg"],
        "water_depth": numbers["depth"], "rho": numbers["density"], "roll_damping": numbers["roll_damping"],
        "scale": numbers["scale"], "panels": numbers["panels"], "origin": given["origin"],
        "drift": not given["no_drift"], "radii": numbers["radii"] or source.radii,
    }  # fmt: skip
    case: Case = case_of(source.hull, **{name: value for name, value in options.items() if value is not None})
    _say_hull(case)
    with _bar("frequencies") as progress:
        found, hit = case.compute(progress, cache=cache)
    if hit:
        console.note(f"taken from {case.kept()}, where it was kept: {found.attrs['source']}")
    return found


@contextmanager
def _bar(name: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar, to be called with how much is done, and of how much."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(f"[bold]{name}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console.messages(), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _say_hull(case: Case) -> None:
    """What the hull is: dimensions, coefficients, stability; and what wants a look."""
    from blocks.hydro.hydrostatics import Hydrostatics, Loading

    water = Hydrostatics.of(case.hull)
    loading = Loading.of(water, case.rho, gm=case.gm, kg=case.kg, radii=case.radii)
    ahead = round(water.buoyancy[0], 6) + 0.0
    block = water.volume / (water.length * water.breadth * water.draught)
    rows = [
        ("length, breadth, draught", f"{water.length:.4g} m, {water.breadth:.4g} m, {water.draught:.4g} m"),
        (
            "displacement",
            f"{loading.mass / 1000.0:.5g} t, C_b {block:.3f}, wetted surface {water.wetted_surface:.4g} m²",
        ),
        (
            "centre of buoyancy",
            f"{ahead:+.3g} m from the origin, {-water.buoyancy[2]:.3g} m below the waterline",
        ),
        ("stability", f"GM {water.metacentre - loading.centre[2]:.3g} m, KG {loading.centre[2] + water.draught:.3g} m"),
        ("radii of gyration", ", ".join(f"{radius:.3g} m" for radius in loading.radii)),
        ("panels", f"{case.hull.count}{', ' + case.hull.planes + ' alike' if case.hull.planes else ''}"),
    ]
    console.output().print(console.table(("hull", case.hull.name), rows))
    for remark in (*case.hull.notes, *case.warnings()):
        console.note(remark)


def _whole(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdigit() or not 20 <= int(text) <= 20000:
        raise ScenarioError(f"--panels must be a whole number from 20 to 20000, not {text}")
    return int(text)


def _three(text: str | None) -> tuple[float, float, float] | None:
    if text is None:
        return None
    parts = [quantity(part.strip(), "m", "radii") for part in text.split(",")]
    if len(parts) != 3:
        raise ScenarioError(f"--radii wants three lengths, of roll, pitch and yaw, such as 7,25,25, not {text}")
    roll, pitch, yaw = parts
    return roll, pitch, yaw


def _write(ctx: click.Context, found: xr.Dataset, target: Path, files: list[Path], numbers: dict[str, Any]) -> None:
    """The vehicle file, checked, its scenario, and the FMU."""
    from blocks.hydro.vessel_file import swell_scenario, vessel_file

    with _bar("memory of the water") as progress:
        options = {"tolerance": numbers["accuracy"]} if numbers["accuracy"] else {}
        made: Written = vessel_file(
            found,
            speed=numbers["speed"],
            roll_damping_ratio=numbers["roll_damping"],
            progress=progress,
            **options,
        )
    vehicle, swell, *fmu = files
    written(vehicle, lambda part: part.write_text(made.text, encoding="utf-8"))
    out = console.output()
    out.print(f"wrote {vehicle}: {found.attrs.get('title', 'hull')}", soft_wrap=True, markup=False)
    for line in made.model.text().splitlines():
        out.print(f"    {line}", soft_wrap=True, markup=False)
    for remark in made.notes:
        console.note(remark)
    if "waves" not in made.text:
        if fmu:
            raise ScenarioError(f"{target} was not written: without loads of waves there is no scenario to export")
        return
    name = _slug(vehicle.stem)
    text = swell_scenario(found, name, vehicle.name, numbers["speed"])
    written(swell, lambda part: part.write_text(text, encoding="utf-8"))
    out.print(f"wrote {swell}: the vessel in a swell", soft_wrap=True, markup=False)
    if fmu:
        export = cast(click.Group, ctx.find_root().command).get_command(ctx, "export")
        if export is None:
            raise ScenarioError("there is no command export here: FMUs come with the package fmu")
        arguments = [str(swell), "--output", str(fmu[0]), "--only", f"{name}_swell"]
        export.main(args=arguments, prog_name="keelblocks export", standalone_mode=False)
        return
    out.print("go on with", markup=False)
    for verb in ("run", "export"):
        out.print(f"    keelblocks {verb} {shlex.quote(str(swell))}", soft_wrap=True, markup=False)
