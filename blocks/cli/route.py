"""`keelblocks route`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.lab.files import written
from blocks.errors import ParameterError, ScenarioError

if TYPE_CHECKING:
    from blocks.block import Block
    from blocks.routes import Chart, Route
    from blocks.scenario import Scenario

_QUANTITIES = (
    "turning_radius", "draught", "under_keel", "water_level", "depth", "at", "propulsion_power", "hotel_power",
    "lowest_speed", "start_course", "goal_course", "resolution",
)  # fmt: skip


@click.command("route", short_help="Find a route on a chart, around land and shallows, in a current.")
@click.argument("chart", metavar="CHART", type=click.Path(path_type=Path))
@click.option("--from", "start", metavar="PLACE", required=True, help='Where it begins: 0,0 or "52.01 deg, 4.37 deg".')
@click.option("--to", "goal", metavar="PLACE", required=True, help="Where it ends.")
@click.option("--margin", metavar="LENGTH", required=True, help="Least distance from anything that is charted.")
@click.option("--speed", metavar="SPEED", help='Through the water: 1.5, "3 kn"; with --into that of the scenario.')
@click.option("--turning-radius", metavar="LENGTH", help="Of the turns of the path; without one it has corners.")
@click.option(
    "--depths", metavar="FILE", type=click.Path(path_type=Path), help="Depths on a grid, .nc, or at points, .csv."
)
@click.option("--draught", metavar="LENGTH", help="Of the craft.")
@click.option("--under-keel", metavar="LENGTH", help="Water wanted below the keel.")
@click.option("--water-level", metavar="LENGTH", help="Above chart datum: the tide.")
@click.option("--depth", metavar="LENGTH", help="At which an underwater craft goes.")
@click.option(
    "--current",
    metavar="CURRENT",
    help='Speed and where it sets to, "0.5 m/s, 90 deg", or a grid, 0 outside of it: .nc, .hdf.',
)
@click.option("--at", metavar="TIME", help="Of a current that changes, for all of the way; 0 if not given.")
@click.option(
    "--least", "objective", type=click.Choice(("time", "energy", "distance")), default="time", show_default=True
)
@click.option("--propulsion-power", metavar="POWER", help="At that speed, going with its cube.")
@click.option("--hotel-power", metavar="POWER", help="Whatever the speed.")
@click.option("--lowest-speed", metavar="SPEED", help="For least energy; a quarter of the speed if not given.")
@click.option("--start-course", metavar="ANGLE", help='Of the path where it begins: "90 deg".')
@click.option("--goal-course", metavar="ANGLE", help="Of the path where it ends.")
@click.option(
    "--origin", metavar="PLACE", help='North 0, east 0: "52.0 deg, 4.4 deg"; the middle of the chart if not given.'
)
@click.option("--resolution", metavar="LENGTH", help="Between the nodes of the search.")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it: .csv, .geojson, .yaml."
)
@click.option("--figure", metavar="FILE", type=click.Path(path_type=Path), help="Draw chart and route.")
@click.option(
    "--into", metavar="SCENARIO", type=click.Path(path_type=Path), help="Edit the waypoints of this scenario."
)
@click.option("--block", metavar="PATH", help="Which guidance block, if there are several.")
@click.option("--phase", metavar="NAME", help="Which phase of a mission, if several go along waypoints.")
@click.option("--save-as", metavar="FILE", type=click.Path(path_type=Path), help="Write that scenario to another file.")
@click.option("--json", "as_json", is_flag=True, help="Print the route as JSON, in SI.")
def route_command(
    chart: Path,
    start: str,
    goal: str,
    margin: str,
    speed: str | None,
    depths: Path | None,
    current: str | None,
    origin: str | None,
    output: Path | None,
    figure: Path | None,
    into: Path | None,
    block: str | None,
    phase: str | None,
    save_as: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Find the best route from one place to another that stays clear of what is charted, in a current.

    CHART is GeoJSON, in longitude and latitude or, with "units": "m" at its top, in metres, east and north; or depths
    alone, .nc or .csv. Places are north and east in m, or latitude and longitude. The property "kind" of a feature is
    land, obstacle, no_go, depth_area (with its least "depth") or water.

    \b
    Examples:
        keelblocks route examples/harbour.geojson --from 90,80 --to 395,410 --margin "6 m" --speed "3 kn" --figure r.png
        keelblocks route examples/harbour.geojson --from 90,80 --to 395,410 --margin 6 --turning-radius "8 m" \\
            --current "0.3 m/s, 180 deg" --into mission.yaml --save-as routed.yaml
    """
    from blocks.guidance import MissionPlan
    from blocks.routes import Chart, find_route
    from blocks.routes.files import check_ending
    from blocks.routes.mission import phase_speed

    if output is not None:
        check_ending(output)
    if into is None and (block or phase or save_as):
        raise ScenarioError("--block, --phase and --save-as are for --into SCENARIO")
    scenario, path, guidance = _target(into, block) if into is not None else (None, "", None)
    legs = _phase(into, path, guidance, phase)
    if speed is None and isinstance(guidance, MissionPlan):
        speed = str(phase_speed(guidance, legs))
    elif speed is None and guidance is not None:
        speed = str(getattr(guidance, "cruise_speed", "")) or None
    if given["turning_radius"] is None and guidance is not None and hasattr(guidance, "turning_radius"):
        given["turning_radius"] = str(guidance.turning_radius)
    if speed is None:
        raise ScenarioError('the speed through the water is missing: --speed "3 kn"')
    options: dict[str, Any] = {name: _value(given[name]) for name in _QUANTITIES if given[name] is not None}
    loaded = Chart.load(chart, depths, None if origin is None else _pair("--origin", origin))
    if current is not None:
        options["current"] = _current(current)
    places = [_place(*given_place, loaded) for given_place in (("--from", start), ("--to", goal))]
    with console.messages().status("reading the chart") as status:
        found = find_route(
            loaded, *places, speed=_value(speed), margin=_value(margin), objective=given["objective"],
            progress=status.update if sys.stderr.isatty() else None, **options,
        )  # fmt: skip
    files: list[Path] = []
    if output is not None:
        files.append(written(output, lambda part: _save(found, output, part)))
    if figure is not None:
        files.append(written(figure, found.figure().savefig))
    if scenario is not None and guidance is not None:
        if isinstance(guidance, MissionPlan):
            _into_mission(scenario, path, guidance, legs, found, deep=given["depth"] is not None)
        else:
            taken = found.guidance_parameters(type(guidance))
            kept = {name: value for name, value in taken.items() if name != "cruise_speed"}
            scenario.edit.set({f"{path}.{name}": value for name, value in kept.items()})
        target = save_as or into
        assert target is not None
        scenario.save(target)
        files.append(target)
    if as_json:
        console.data(_data(found) | {"files": [str(file) for file in files]})
        return OK
    out = console.output()
    out.print(str(found), markup=False, soft_wrap=True)
    for file in files:
        out.print(f"wrote {file}", markup=False, soft_wrap=True)
    return OK


def _save(route: Route, wanted: Path, part: Path) -> None:
    """Into a file whose name may have another ending until it is whole."""
    from blocks.routes.files import route_text

    part.write_text(route_text(route, wanted), encoding="utf-8")


def _phase(into: Path | None, path: str, guidance: Block | None, name: str | None) -> int:
    """The phase of a mission that goes along waypoints, from 0; of other guidance it does not matter."""
    from blocks.guidance import MissionPlan
    from blocks.routes.mission import leg_phase

    if isinstance(guidance, MissionPlan):
        try:
            return leg_phase(guidance, name)
        except ParameterError as problem:
            raise ScenarioError(f"{into}: {path}: {problem}") from None
    if name is not None:
        raise ScenarioError(f"--phase is for guidance.MissionPlan, and {path or into} has no phases")
    return 0


def _into_mission(scenario: Scenario, path: str, plan: Block, phase: int, route: Route, *, deep: bool) -> None:
    """Let a phase of a mission go along a route; at the depth before, unless one is asked for."""
    from blocks.routes.mission import with_waypoints

    taken = route.waypoint_parameters()
    places = taken["waypoints"] if deep else [place[:2] for place in taken["waypoints"]]
    name = f"{path}.phases"
    scenario.edit.set(name, with_waypoints(scenario.edit.written(name), phase, places))
    radius, wanted = float(plan.values["acceptance_radius"]), taken["acceptance_radius"]
    if radius > wanted:
        console.note(
            f"{path}.acceptance_radius is {radius:g} m, and the route has room for {wanted:g} m: it will cut corners"
        )


def _target(into: Path, block: str | None) -> tuple[Scenario, str, Block]:
    """The scenario, and its guidance block that takes waypoints."""
    from blocks.guidance import MissionPlan
    from blocks.scenario import Scenario

    loaded = Scenario.load(into)
    able = {
        name: one
        for name, one in loaded.diagram.blocks().items()
        if "waypoints" in one.all_parameters() or isinstance(one, MissionPlan)
    }
    if block is not None:
        if block not in able:
            raise ScenarioError(
                f"{into} has no block '{block}' with waypoints", code="unknown-block", wrong=block, valid=list(able)
            )
        return loaded, block, able[block]
    if len(able) != 1:
        which = (
            f"several with waypoints, {', '.join(able)}: choose one by --block" if able else "no block with waypoints"
        )
        raise ScenarioError(f"{into} has {which}")
    return loaded, *next(iter(able.items()))


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _pair(option: str, text: str) -> list[Any]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(parts):
        raise ScenarioError(f'{option} is two numbers, north and east in m, or "52.01 deg, 4.37 deg", not "{text}"')
    return [_value(part) for part in parts]


def _place(option: str, text: str, chart: Chart) -> list[Any]:
    """A place, in m or by latitude and longitude: on a chart of these, what is meant has to be said."""
    pair = _pair(option, text)
    if chart.origin is not None and all(isinstance(part, float) for part in pair):
        north, east = (part.strip() for part in text.split(","))
        raise ScenarioError(
            f'{option}: {text} is in degrees or in metres? The chart is in longitude and latitude: say "{north} deg, '
            f'{east} deg", latitude first, or "{north} m, {east} m" from its origin'
        )
    return pair


def _current(text: str) -> Any:
    from blocks.environment import CurrentField, UniformCurrent

    if "," not in text and Path(text).suffix.lower() in CurrentField.file_constructors:
        return CurrentField.from_file(text, outside="fill")
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise ScenarioError(
            f'--current is its speed and where it sets to, "0.5 m/s, 90 deg", or a file of a grid, not "{text}"'
        )
    try:
        return UniformCurrent(*map(_value, parts))
    except ParameterError as problem:
        raise ScenarioError(f"--current: {problem}") from None


def _data(route: Route) -> dict[str, Any]:
    return {
        "length": route.length,
        "duration": route.duration,
        "energy": float(route.energy[-1]),
        "least_clearance": route.least_clearance,
        "margin": route.margin,
        "objective": route.objective,
        "waypoints": route.waypoints.tolist(),
        "turning_radius": route.turning_radius,
    }
