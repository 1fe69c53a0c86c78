"""`keelblocks live --ardupilot`: a scenario as the physics behind ArduPilot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.group import BAD, INTERRUPTED, OK
from blocks.cli.interrupts import held
from blocks.cli.run import save, say_kept
from blocks.errors import KeelblocksError, ScenarioError

if TYPE_CHECKING:
    from blocks.live.ardupilot import ArduPilot
    from blocks.run.result import Result
    from blocks.scenario import Scenario


def ardupilot_options(function: Any) -> Any:
    """The options of `keelblocks live` that are about ArduPilot."""
    for option in reversed(
        (
            click.option("--ardupilot", is_flag=True, help="Be the physics of ArduPilot: live: ardupilot: says how."),
            click.option("--address", help="Address to listen on for it; 127.0.0.1 if nothing says so."),
            click.option(
                "--port", type=click.IntRange(0, 65535), help="UDP port; 9002 if nothing says so, 0: any that is free."
            ),
        )
    ):
        function = option(function)
    return function


def serve_ardupilot(
    loaded: Scenario,
    folder: Path,
    formats: tuple[str, ...],
    address: str | None,
    port: int | None,
    end: float | str | None,
    keep: float | str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Answer ArduPilot until `end`, the stop signal or Ctrl-C, and save what was recorded; the exit code."""
    from blocks.live.ardupilot import ArduPilot
    from blocks.simulation import RunInterrupted, RunStopped

    where = loaded.path or loaded.name
    if "ardupilot" not in loaded.live:
        raise ScenarioError(
            f"{where}: --ardupilot needs a section live: ardupilot:, which says what servo outputs command; "
            f"examples/otter_ardupilot.yaml has one"
        )
    for key in ("sources", "sinks", "log"):
        if loaded.live.get(key):
            raise ScenarioError(
                f"{where}: live.{key}: with --ardupilot nobody else takes part; what is recorded is saved at the end, "
                f"in any --format"
            )
    code = OK
    stopped: RunStopped | None = None
    say = _silent if quiet else _say
    with loaded.simulator(**({"keep": keep} if keep else {})) as simulator:
        try:
            vehicle = ArduPilot(simulator, loaded.live["ardupilot"], address=address, port=port, told=say)
        except ScenarioError as problem:
            raise ScenarioError(f"{where}: {problem}") from None
        with vehicle:
            try:
                vehicle.run(end)
                result = simulator.result()
            except RunStopped as problem:
                result, stopped = problem.result, problem
                code = INTERRUPTED if isinstance(problem, RunInterrupted) else BAD
    with held():
        files, errors = _save_sessions(loaded, [*vehicle.sessions], folder, formats)
        files = save(loaded, result, folder, formats) + files
    if as_json:
        traffic = vars(vehicle.traffic)
        console.data(
            {
                "name": loaded.name,
                "time": simulator.time,
                "message": str(stopped or ""),
                **traffic,
                "files": [*map(str, files)],
            }
        )
    elif not quiet:
        out = console.output()
        out.print(
            f"{loaded.title or loaded.name}: {simulator.time:g} s, {vehicle.traffic}", soft_wrap=True, markup=False
        )
        for path in files:
            out.print(f"wrote {path}", soft_wrap=True, markup=False)
    if stopped:
        stopped.place(loaded.placed(stopped.problems))
        say_kept(stopped, files)
    for text in errors:
        console.error(text)
    return code or (BAD if errors else OK)


def _say(event: str, vehicle: ArduPilot) -> None:
    host, port = vehicle.address
    other = vehicle.autopilot[0] if vehicle.autopilot else ""
    said = {
        "waiting": f"waiting for ArduPilot on UDP {host}:{port}; Ctrl-C ends",
        "connected": f"ArduPilot is there, from {other}",
        "restart": "ArduPilot has started again, and so has the vehicle",
    }
    console.messages().print(said[event], soft_wrap=True, markup=False)


def _silent(event: str, vehicle: ArduPilot) -> None:
    pass


def _save_sessions(
    loaded: Scenario, sessions: list[Result], folder: Path, formats: tuple[str, ...]
) -> tuple[list[Path], list[str]]:
    """The results of runs that ended as ArduPilot started again, by number; and what could not be written."""
    files, errors = [], []
    for number, result in enumerate(sessions, start=1):
        for ending in dict.fromkeys(formats):
            try:
                files.append(result.save(folder / f"{loaded.name}_{number}.{ending}"))
            except KeelblocksError as problem:
                errors.append(str(problem))
    return files, errors
