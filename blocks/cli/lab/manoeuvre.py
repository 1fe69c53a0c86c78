"""`keelblocks lab manoeuvre`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.lab.files import written
from blocks.cli.lab.spelling import spelled_as_options
from blocks.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Callable

    from blocks.diagram import Diagram
    from blocks.lab.manoeuvres import Manoeuvre

KINDS = ("turning-circle", "zigzag", "pull-out", "stopping", "spiral")
_SOLVER = ("solver", "step", "relative_tolerance", "absolute_tolerance", "max_step")


@click.command("manoeuvre", short_help="Turning circle, zigzag, pull-out, stopping and spiral tests.")
@click.argument("kind", metavar="KIND", type=click.Choice(KINDS))
@click.argument("scenario", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.option(
    "--helm", multiple=True, metavar="NAME[=FACTOR]",
    help="The input that turns the vessel: rudder, rudder.command, force[N]; several with factors. Default: rudder.",
)  # fmt: skip
@click.option("--order", metavar="ORDER", help='How far the helm is put over: "35 deg", "40 N*m".')
@click.option(
    "--heading-change", metavar="ANGLE", help="At which a zigzag test reverses; by default that of the order."
)
@click.option("--side", "sides", multiple=True, type=click.Choice(("starboard", "port")), help="Where to put it first.")
@click.option(
    "--throttle", multiple=True, metavar="NAME[=FACTOR]", help="The input that stops the vessel. Default: throttle."
)
@click.option("--astern", metavar="ORDER", help='Its order full astern: -1, "-60 N".')
@click.option(
    "-i", "--input", "inputs", multiple=True, metavar="NAME=VALUE",
    help="What an input is held at: throttle=1, force=100,0,0,0,0,0.",
)  # fmt: skip
@click.option("--pose", metavar="NAME", help="The output that is the vessel's pose, if there are several.")
@click.option("--rudder", metavar="NAME", help="The output that is the rudder angle, for the figure.")
@click.option(
    "--approach", metavar="TIME", help="How long to go straight before; by default until the speed is steady."
)
@click.option(
    "--longest", metavar="TIME", help="The longest that anything may take; by default 1 h, and more for long ships."
)
@click.option("--length", metavar="LENGTH", help="Of the hull, for the criteria of IMO.")
@click.option("--step", metavar="TIME", help="Of the solver; by default that of the scenario.")
@click.option("--figure", metavar="FILE", type=click.Path(path_type=Path), help="Draw the standard figure.")
@click.option("--json", "as_json", is_flag=True, help="Print the measures as JSON, in SI.")
def manoeuvre_command(
    kind: str,
    scenario: Path,
    helm: tuple[str, ...],
    throttle: tuple[str, ...],
    inputs: tuple[str, ...],
    figure: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Do a manoeuvre with the vessel of a scenario, and print the standard table; KIND: turning-circle, zigzag,
    pull-out, stopping or spiral.

    What fed the inputs that are named is cut off, so a scenario with an autopilot serves as it is.

    \b
    Examples:
        keelblocks lab manoeuvre zigzag boat.yaml --helm rudder.command --order "20 deg" --figure zigzag.png
        keelblocks lab manoeuvre turning-circle otter.yaml --helm "boat.force[N]" --input boat.force=100,0,0,0,0,0 \\
            --order "40 N*m"
        keelblocks lab manoeuvre stopping boat.yaml --throttle thruster.command --astern -1 --length "1.06 m"
    """
    from blocks.scenario import Scenario

    loaded = Scenario.load(scenario)
    settings = loaded.settings
    conditions: dict[str, Any] = {name: settings[name] for name in _SOLVER if name in settings}
    conditions |= {
        n: given[n] for n in ("pose", "rudder", "approach", "longest", "length", "step") if given[n] is not None
    }
    held = {name: value for name, value in settings.get("inputs", {}).items() if not isinstance(value, tuple)}
    conditions["inputs"] = held | dict(map(_held, inputs))
    if helm:
        conditions["helm"] = _lever("--helm", helm)
    _fits(kind, given)
    with spelled_as_options(click.get_current_context()):
        done = _done(kind, loaded.diagram, given, throttle, conditions)
    if figure is not None:
        written(figure, done.figure(f"{loaded.title or loaded.name}: {done.name}").savefig)
    if as_json:
        console.data(_data(done))
        return OK
    out = console.output()
    out.print(done.table(), markup=False, soft_wrap=True)
    if figure is not None:
        out.print(f"wrote {figure}", markup=False, soft_wrap=True)
    return OK


def _done(
    kind: str, diagram: Diagram, given: dict[str, Any], throttle: tuple[str, ...], conditions: dict[str, Any]
) -> Manoeuvre:
    """The manoeuvre, with the options that are its arguments."""
    from blocks.lab import manoeuvres

    if kind == "stopping":
        if given["astern"] is None:
            raise ScenarioError('a stopping test needs the order full astern: --astern -1, or --astern "-60 N"')
        if throttle:
            conditions["throttle"] = _lever("--throttle", throttle)
        return manoeuvres.stopping(diagram, _number(given["astern"]), **conditions)
    if given["order"] is not None:
        conditions["order"] = _number(given["order"])
    if given["heading_change"] is not None:
        conditions["heading_change"] = given["heading_change"]
    if given["sides"]:
        conditions["sides"] = given["sides"]
    function: Callable[..., Manoeuvre] = getattr(manoeuvres, kind.replace("-", "_"))
    return function(diagram, **conditions)


def _fits(kind: str, given: dict[str, Any]) -> None:
    """Raise ScenarioError for options that this manoeuvre does not have."""
    for name, option, only in (
        ("heading_change", "--heading-change", ("zigzag",)),
        ("order", "--order", KINDS[:3] + KINDS[4:]),
        ("astern", "--astern", ("stopping",)),
        ("sides", "--side", ("turning-circle", "zigzag", "pull-out")),
    ):
        if given[name] not in (None, ()) and kind not in only:
            raise ScenarioError(f"{option} is for {', '.join(only)}, not for {kind}")


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _held(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise ScenarioError(f'--input must be NAME=VALUE, such as throttle=1, not "{text}"')
    if "," not in value:
        return name.strip(), _number(value.strip())
    try:
        return name.strip(), [float(part) for part in value.strip("[] ").split(",")]
    except ValueError:
        raise ScenarioError(f'--input: the elements of {name} must be numbers, not "{value}"') from None


def _lever(option: str, given: tuple[str, ...]) -> str | dict[str, float]:
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    parts = {}
    for text in given:
        name, _, factor = text.partition("=")
        try:
            parts[name.strip()] = float(factor or 1.0)
        except ValueError:
            raise ScenarioError(f'{option} must be NAME or NAME=FACTOR, such as command[0]=-1, not "{text}"') from None
    return parts


def _data(done: Manoeuvre) -> dict[str, Any]:
    return {
        "manoeuvre": done.name,
        "measures": {name: asdict(one) for name, one in done.measures.items()},
        "criteria": {
            name: [asdict(one) | {"met": one.met} for one in found] for name, found in done.criteria.items() if found
        },
    }
