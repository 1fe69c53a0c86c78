"""`keelblocks new usv`, `rov`, `auv`, …: a scenario that works, to be changed into one's own."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.library import new_command
from blocks.errors import KeelblocksError, ScenarioError
from blocks.units import to_unit

if TYPE_CHECKING:
    from blocks.ready.estimates import Estimated
    from blocks.ready.scenario import Made

__all__ = ["new_command"]

_EXAMPLES = {
    "usv": "otter",
    "rov": "bluerov2_heavy",
    "auv": "remus100",
    "ship": "tito_neri",
    "sailboat": "usv_sailboat",
}
_WHAT = {
    "usv": "A scenario with an unmanned surface vehicle.",
    "rov": "A scenario with a remotely operated vehicle.",
    "auv": "A scenario with an autonomous underwater vehicle.",
    "ship": "A scenario with a ship.",
    "sailboat": "A scenario with a craft under sail.",
}


_LEAST, _MOST = 1e-6, 1e9
"""In SI: beyond, numbers are slips of the pen, whatever they are of."""


def _quantity(text: str | None, unit: str, option: str) -> float | None:
    """An option as a number in SI that something afloat may have. Raises ScenarioError."""
    if text is None:
        return None
    try:
        value = to_unit(text, unit)
    except ValueError as problem:
        raise ScenarioError(f"{option}: {problem}") from None
    if not 0.0 < value < math.inf:
        raise ScenarioError(f"{option} must be above 0, not {text}")
    if not _LEAST <= value <= _MOST:
        raise ScenarioError(f"{option}: {text} is {value:g} {unit}, and no craft has that")
    return float(value)


def _made(kind: str, vehicle: str, output: Path | None, speed: float | None, force: bool) -> tuple[Path, Made]:
    """Write the scenario of a vehicle; its file and what was found of it."""
    from blocks.ready.craft import craft
    from blocks.ready.scenario import make

    file = output or Path(f"{Path(vehicle).stem}_mission.yaml")
    check_name(file)
    chosen = craft(vehicle, kind, file.parent)
    check_free(file, force)
    made = make(chosen, file, speed)
    _write(file, made.text)
    return file, made


def _write(file: Path, text: str) -> None:
    """Write a file, whole or not at all. Raises ScenarioError."""
    from blocks.files.writing import replacing

    folder = file.parent
    if folder.exists() and not folder.is_dir():
        raise ScenarioError(f"cannot write {file}: {folder} is a file, and a folder is wanted")
    try:
        with replacing(file) as part:
            part.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise ScenarioError(f"cannot write {file}: {problem.strerror or problem}") from None


def check_name(file: Path) -> None:
    """Refuse what is no file of a scenario, before anything is written. Raises ScenarioError."""
    if file.suffix not in (".yaml", ".yml"):
        raise ScenarioError(f"--output {file}: name a file that ends in .yaml")


def check_free(file: Path, force: bool) -> None:
    """Refuse to replace a file. Raises ScenarioError."""
    if file.exists() and not force:
        raise ScenarioError(f"{file} is there already: --force replaces it, --output names another file")


def _say(file: Path, made: Made) -> None:
    """What was made, how far its loops are from instability, and what comes next."""
    out = console.output()
    out.print(f"wrote {file}: {made.speed:g} m/s", soft_wrap=True, markup=False)
    for name, (phase, gain) in made.margins.items():
        lag = "no crossover" if math.isinf(phase) else f"{math.degrees(phase):.0f}°"
        factor = "any" if math.isinf(gain) else f"{gain:.2g}"
        out.print(f"    {name}: phase margin {lag}, gain margin {factor}", markup=False)
    weak = [name for name, (phase, gain) in made.margins.items() if phase < math.radians(40.0) or gain < 1.8]
    if weak:
        console.note(f"no gains were found that leave enough margin in {', '.join(weak)}: look at it before you use it")
    out.print("go on with", markup=False)
    quoted = shlex.quote(str(file))
    for line in (f"keelblocks run {quoted}", f"keelblocks share {quoted}"):
        out.print(f"    {line}", soft_wrap=True, markup=False)


def _say_folder(folder: Path | None) -> None:
    """That a folder is new, which a slip of the pen may have been."""
    if folder is not None:
        console.note(f"there was no folder {folder}: it was made")


_NUMBERS = {
    "length": ("m", "Over all; makes a vehicle from a few numbers, by published estimates."),
    "breadth": ("m", "Over all."),
    "height": ("m", "Of the frame."),
    "diameter": ("m", "Of the body."),
    "draught": ("m", "Mean, of the hull."),
    "block_coefficient": ("1", "Volume displaced over length, breadth and draught, C_b."),
    "mass": ("kg", "With all that is on board, without added mass."),
    "thrust": ("N", "Of all thrusters together, full ahead."),
    "top_speed": ("m/s", "With full thrust; with --thrust it gives the drag."),
}
_TAKEN = {
    "usv": ("length", "mass", "breadth", "thrust", "top_speed"),
    "rov": ("length", "breadth", "height", "mass", "thrust", "top_speed"),
    "auv": ("length", "diameter", "mass", "thrust", "top_speed"),
    "ship": ("length", "breadth", "draught", "block_coefficient", "top_speed"),
}
"""The numbers that an estimate takes."""
_NEEDED = {
    "usv": ("length", "mass"), "rov": ("length", "breadth", "height", "mass"), "auv": ("length", "diameter"),
    "ship": ("length", "breadth", "draught", "block_coefficient"),
}  # fmt: skip
_SIZES = {
    "usv": '--length 2 --mass 50', "rov": '--length 0.5 --breadth 0.4 --height 0.3 --mass "12 kg"',
    "auv": "--length 1.6 --diameter 0.19",
    "ship": "--length 120 --breadth 20 --draught 7 --block-coefficient 0.7",
}  # fmt: skip


def _estimated(kind: str, numbers: dict[str, float], hulls: int | None) -> Estimated:
    """A vehicle from a few numbers. Raises ScenarioError."""
    from blocks.ready import estimates

    missing = [name for name in _NEEDED[kind] if name not in numbers]
    if missing:
        wanted = " and ".join(f"--{name.replace('_', '-')}" for name in missing)
        are = "is" if len(missing) == 1 else "are"
        raise ScenarioError(f"{wanted} {are} missing: keelblocks new {kind} {_SIZES[kind]}")
    if kind == "usv":
        return estimates.usv(**numbers, hulls=hulls or 1)
    if kind == "ship":
        return estimates.ship(**numbers)
    return estimates.rov(**numbers) if kind == "rov" else estimates.auv(**numbers)


def _from_numbers(
    kind: str, numbers: dict[str, float], hulls: int | None, output: Path | None, speed: float | None, force: bool
) -> None:
    """Write a vehicle file by estimates, and the scenario that uses it."""
    from blocks.ready.estimates.writing import vehicle_text
    from blocks.vehicles import check

    vehicle = _estimated(kind, numbers, hulls)
    scenario = output or Path(f"{kind}_mission.yaml")
    check_name(scenario)
    bare = scenario.stem.removesuffix("_mission")
    file = scenario.with_name(f"{bare}.yaml" if bare != scenario.stem else f"{bare}_vehicle.yaml")
    check_free(file, force)
    check_free(scenario, force)
    before = file.read_bytes() if file.exists() else None
    missing = [one for one in file.parents if not one.exists()]
    _write(file, vehicle_text(vehicle))
    try:
        check(str(file))
        made = _made(kind, str(file), scenario, speed or vehicle.cruise, force=True)
    except KeelblocksError:
        if before is None:
            file.unlink(missing_ok=True)
        else:
            file.write_bytes(before)
        for folder in missing:
            folder.rmdir()
        raise
    out = console.output()
    out.print(f"wrote {file}: {vehicle.title}", soft_wrap=True, markup=False)
    rows = [
        (f"{name}.{parameter}", one.error, _SHORT.get(one.source) or one.source.removeprefix("estimate_"))
        for name, (_, parameters) in vehicle.sections.items()
        for parameter, one in parameters.items()
        if one.error
    ]
    out.print(console.table(("estimated", "likely within", "by"), rows))
    out.print("what to measure, the most useful first:", markup=False)
    for what, how in vehicle.measure.items():
        out.print(f"    {what}: {how}", soft_wrap=True, markup=False)
    _say(*made)


_NO_NUMBERS = {
    "sailboat": "they do not tell what its sails, keel and rudder do",
}
"""Why there is no estimate."""


def _no_estimate(kind: str) -> str:
    """Which kinds are made from a few numbers, and why this one is not."""
    return (
        f"a {kind} is not made from a few numbers, as {' and '.join(_SIZES)} are: {_NO_NUMBERS[kind]}; "
        "--vehicle names one of the library, or a file of your own"
    )


_SHORT = {
    "thrust_at_top_speed": "thrust and top speed",
    "estimate_munro_smith": "munro-smith",
    "estimate_rudder": "dnv",
    "estimate_deduction": "schoenherr",
}


def _command(kind: str) -> click.Command:
    """The command of a kind of craft."""

    def command(
        vehicle: str | None,
        output: Path | None,
        speed: str | None,
        force: bool,
        listed: bool,
        hulls: str | None = None,
        **given: str | None,
    ) -> int:
        from blocks.ready.craft import vehicles_of

        if kind not in _SIZES and (
            named := next((name for name, text in given.items() if text), "hulls" * bool(hulls))
        ):
            raise ScenarioError(f"--{named.replace('_', '-')}: {_no_estimate(kind)}")
        if listed:
            rows = list(vehicles_of(kind).items())
            console.output().print(console.table(("vehicle", "title"), rows))
            return OK
        cruise = _quantity(speed, "m/s", "--speed")
        numbers = {
            name: value
            for name, text in given.items()
            if (value := _quantity(text, _NUMBERS[name][0], f"--{name.replace('_', '-')}")) is not None
        }
        if vehicle is not None and (numbers or hulls):
            first = next(iter(numbers), "hulls").replace("_", "-")
            raise ScenarioError(
                f"--{first} is of an estimated vehicle, and --vehicle names one: give the one or the other"
            )
        folder = output.parent if output is not None and not output.parent.exists() else None
        if numbers:
            _from_numbers(kind, numbers, int(hulls) if hulls else None, output, cruise, force)
            _say_folder(folder)
            return OK
        if vehicle is None:
            own = f", or a few numbers: {_SIZES[kind]}" if kind in _SIZES else ", or a file of your own"
            raise ScenarioError(f"name a vehicle, --vehicle {' or '.join(vehicles_of(kind))}{own}")
        _say(*_made(kind, vehicle, output, cruise, force))
        _say_folder(folder)
        return OK

    sizes = f"        keelblocks new {kind} {_SIZES[kind]}\n" if kind in _SIZES else ""
    estimates = (
        "\n\n    From a few numbers a vehicle file is made, too, by published estimates: it says of each how far it is "
        "likely to be off, and what to measure first."
        if kind in _SIZES
        else f"\n\n    {_no_estimate(kind).capitalize()}."
    )
    command.__doc__ = f"""{_WHAT[kind]}

    What is written is a file to be run, read and changed: vessel, thrust, controllers, guidance along waypoints, a
    current, and what the thrust takes. Gains are computed for the vehicle at its speed; the margins of each loop stand
    beside them.{estimates}

    \b
    Examples:
        keelblocks new {kind} --list
        keelblocks new {kind} --vehicle {_EXAMPLES[kind]}
{sizes}        keelblocks new {kind} --vehicle my_vehicle.yaml --output mission.yaml
    """
    options = [
        click.option("--vehicle", metavar="NAME|FILE", help="A vehicle of the library, or a vehicle file."),
        *(
            click.option(f"--{name.replace('_', '-')}", metavar=_NUMBERS[name][0].upper(), help=_NUMBERS[name][1])
            for name in _TAKEN.get(kind, ())
        ),
        *(
            click.option(f"--{name.replace('_', '-')}", hidden=True)
            for name in _NUMBERS
            if kind not in _SIZES  # to say why
        ),
        click.option("--speed", metavar="SPEED", help='Of the mission, through the water: 1.2, or "2 kn".'),
        click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="The scenario file to "
                     "write, NAME_mission.yaml if not given; a folder that is missing is made."),
        click.option("--force", is_flag=True, help="Replace files that are there already."),
        click.option("--list", "listed", is_flag=True, help="List the vehicles of the library of this kind."),
    ]  # fmt: skip
    if kind not in _SIZES:
        options.append(click.option("--hulls", hidden=True))
    if kind == "usv":
        options.insert(3, click.option("--hulls", type=click.Choice(["1", "2"]), help="Two hulls: a catamaran."))
    for option in reversed(options):
        command = option(command)
    return click.command(kind, short_help=_WHAT[kind])(command)


for _kind in _WHAT:
    new_command.add_command(_command(_kind))
