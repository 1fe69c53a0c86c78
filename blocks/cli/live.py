"""`keelblocks live`: a scenario in real time."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.ardupilot import ardupilot_options, serve_ardupilot
from blocks.cli.group import BAD, INTERRUPTED, OK
from blocks.cli.interrupts import held
from blocks.cli.run import (
    changed,
    check_writable,
    checked,
    format_option,
    parameter_options,
    recording_options,
    save,
    say_kept,
    scenario_and_folder,
)
from blocks.errors import KeelblocksError, ScenarioError

if TYPE_CHECKING:
    from blocks.run.result import Result
    from blocks.run.timing import Timing
    from blocks.scenario import Scenario
    from blocks.simulator import Simulator


class _LiveCommand(click.Command):
    """The command, which leaves what comes from --ros-args on to ROS 2, as `ros2 run` and launch files write it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--ros-args") if "--ros-args" in args else len(args)
        ctx.meta["ros"] = args[at:]
        return super().parse_args(ctx, [*args[:at], *(["--ros2"] if at < len(args) else [])])


@click.command("live", cls=_LiveCommand, short_help="Run a scenario in real time, with others taking part.")
@scenario_and_folder("Folder for the result, and for files that `live:` names; results/NAME if not given.")
@click.option("--factor", metavar="X", help="Times real time, 1 if nothing says so; free: as fast as it goes.")
@click.option("--rate", metavar="RATE", help='How often sources, sinks and the screen have their turn: 20, or "50 Hz".')
@click.option(
    "--late",
    type=click.Choice(["catch up", "skip", "stop"]),
    help="What to do when a whole turn is missed: go on without waiting until the clock is met; leave the missed turns "
    "out of the schedule; or end.",
)
@click.option("--show", multiple=True, metavar="SIGNAL", help="Signal to show; can be given several times.")
@click.option(
    "--change",
    multiple=True,
    metavar="NAME",
    help="Input or parameter that keys can change; several times if need be. All of them if not given.",
)
@click.option(
    "--ros2",
    is_flag=True,
    help="Be a node of ROS 2, as live: ros2: says, or with topics for every signal and input.",
)
@click.option("--ros-args", is_flag=True, expose_value=False, help="What follows is for ROS 2, to the end of the line.")
@click.option("--endless", is_flag=True, help="Do not end where the scenario says: go on until q or Ctrl-C.")
@click.option("--paused", is_flag=True, help="Begin paused: the space bar starts it.")
@click.option("--plain", is_flag=True, help="Print lines now and then instead of taking the screen.")
@format_option
@parameter_options
@recording_options
@click.option("--keep", metavar="TIME", help='Keep only the last so much of what is recorded, such as "10 min".')
@ardupilot_options
@click.option("--json", "as_json", is_flag=True, help="Print how it went as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Show nothing while it runs, and print nothing but errors.")
def live_command(
    scenario: Path,
    changes: tuple[str, ...],
    output: Path | None,
    formats: tuple[str, ...],
    ros2: bool,
    endless: bool,
    paused: bool,
    plain: bool,
    ardupilot: bool,
    address: str | None,
    port: int | None,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Run a scenario in real time, or a multiple of it, while others set its inputs and see its outputs.

    \b
    Examples:
        keelblocks live examples/otter_los.yaml
        keelblocks live examples/otter_los.yaml --factor 20 --show "vessel.eta[psi]" --show thrusters.power
        keelblocks live examples/otter_los.yaml --change current.speed --endless
        keelblocks live examples/otter_los.yaml --ros2 --ros-args -r __ns:=/usv_1
        keelblocks --import my_helm live mission.yaml --late stop --plain 2> log
        keelblocks live --ardupilot examples/otter_ardupilot.yaml

    On a terminal it shows time, lateness and signals, and takes keys: the space bar pauses, s makes one turn, + and -
    change the speed, the arrows choose an input or a parameter and change it, Enter types a new value, q quits. In a
    pipe, or with --plain, it prints a line every 2 s instead.

    What takes part stands in the scenario, under live: sources and sinks, classes of your own among them, datagrams and
    files. Options take the place of what it says.

    \b
        live:
          factor: 2
          show: ["vessel.eta[psi]", battery.state_of_charge]
          sources:
            helm: {python: my_helm.Helm, arguments: {gain: 2}}
            stick: {udp: 5005}
          sinks:
            plotter: {udp: 5006, signals: [vessel.eta], rate: 20 Hz}
            table: {file: track.csv, signals: [vessel.eta]}

    With --ardupilot, ArduPilot steers and sets the pace, packet by packet, until --end, the stop signal or Ctrl-C.

    It ends where the scenario says, by its stop signal, by q or by Ctrl-C; what was recorded is saved in each case.

    \b
    Exit codes: 0 complete, or ended by its stop signal or q; 2 bad input, or a run that had to stop; 130 interrupted.
    """
    from blocks.live.from_scenario import attached_by
    from blocks.live.terminal import interactive, terminal
    from blocks.realtime.loop import RealTime
    from blocks.simulation import RunInterrupted, RunStopped

    if endless and given["end"] is not None:
        raise ScenarioError("--endless and --end say two things; leave one out")
    own = ("factor", "rate", "late", "show", "change", "keep")
    loaded = changed(scenario, changes, {key: value for key, value in given.items() if key not in own})
    checked(loaded, ends=False)
    loaded.live |= _said({key: given[key] for key in own})
    folder = output or Path("results") / loaded.name
    check_writable(folder)
    if ardupilot and ros2:
        raise ScenarioError("--ardupilot has a loop of its own: take that or --ros2")
    if ardupilot:
        end = given["end"] and loaded.settings["end"]
        keep = loaded.live.get("keep")
        return serve_ardupilot(loaded, folder, formats, address, port, end, keep, as_json, quiet)
    if address is not None or port is not None:
        raise ScenarioError("--address and --port go with --ardupilot")
    said, end = loaded.live, math.inf if endless else loaded.settings.get("end", math.inf)
    sources, sinks = attached_by(loaded, folder)
    options = {key: said[key] for key in ("factor", "rate", "late") if said.get(key) is not None}
    if ros2:
        node = _ros2_node(loaded, folder)
        sources["ros2"] = sinks["ros2"] = node
        options = node.timing | options
    if paused and not ros2 and (quiet or plain or not interactive()):
        raise ScenarioError("--paused needs a terminal, whose space bar starts the run")
    if not quiet:
        view = terminal(said.get("show"), said.get("change"), loaded.title or loaded.name, plain=plain or None)
        sinks = {**sinks, "terminal": view}
    code = OK
    stopped: RunStopped | None = None
    timing: Timing | None = None
    simulator = loaded.simulator(**({"keep": said["keep"]} if said.get("keep") else {}))
    with simulator:
        for option in ("show", "change"):
            _check_names(simulator, option, said.get(option))
        loop = RealTime(
            simulator,
            end=None if end == math.inf else end,
            sources=sources,
            sinks=sinks,
            **options,
        )
        loop.paused = paused
        try:
            timing = loop.run()
            result = simulator.result()
        except RunStopped as problem:
            result, stopped = problem.result, problem
            timing = problem.timing
            code = INTERRUPTED if isinstance(problem, RunInterrupted) else BAD
    result.topics = loaded.topics
    with held():
        files = save(loaded, result, folder, formats)
    if as_json:
        console.data(_summary(loaded, str(stopped or ""), timing, result, files))
    elif not quiet:
        _show(loaded, timing, files)
    if stopped:
        stopped.place(loaded.placed(stopped.problems))
        say_kept(stopped, files)
    return code


def _ros2_node(scenario: Scenario, folder: Path) -> Any:
    from blocks.live.ros2.from_scenario import node_of

    return node_of(scenario, folder, click.get_current_context().meta["ros"])


def _said(given: dict[str, Any]) -> dict[str, Any]:
    """What the command line says of `live:`, checked as the file is. Raises ScenarioError."""
    from blocks.realtime.pacing import factor_of
    from blocks.realtime.turns import hertz, seconds

    said: dict[str, Any] = {key: list(v) if isinstance(v, tuple) else v for key, v in given.items() if v}
    try:
        if "factor" in said:
            said["factor"] = factor_of(_number(said["factor"]))
        for key, check in (("rate", hertz), ("keep", seconds)):
            if key in said:
                said[key] = check(_number(said[key]))
    except KeelblocksError as problem:
        raise ScenarioError(f"--{problem}") from None
    return said


def _check_names(simulator: Simulator, option: str, names: list[str] | None) -> None:
    """Raise ScenarioError for a name that is not there, whatever becomes of it."""
    from blocks.realtime.readings import readings

    try:
        readings(simulator, names or [])
    except KeelblocksError as problem:
        raise ScenarioError(f"{option}: {problem}") from None


def _number(text: str) -> float | str:
    """A number, or text with a unit."""
    try:
        return float(text)
    except ValueError:
        return text


def _summary(
    scenario: Scenario, message: str, timing: Timing | None, result: Result, files: list[Path]
) -> dict[str, Any]:
    return {
        "name": scenario.name,
        **(timing.as_dict() if timing else {}),
        "points": len(result),
        "message": message,
        "files": [str(path) for path in files],
    }


def _show(scenario: Scenario, timing: Timing | None, files: list[Path]) -> None:
    out = console.output()
    if timing is not None:
        out.print(f"{scenario.title or scenario.name}: {timing}", markup=False)
    for path in files:
        out.print(f"wrote {path}", soft_wrap=True, markup=False)
