"""`keelblocks run`."""

from __future__ import annotations

import functools
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.animation import Animation
from blocks.cli.group import BAD, INTERRUPTED, OK
from blocks.cli.interrupts import held
from blocks.cli.problems import tell, warn
from blocks.errors import KeelblocksError, ScenarioError, did_you_mean
from blocks.packages import RESULTS, named

if TYPE_CHECKING:
    from blocks.compiled.choice import Asked
    from blocks.plan import Plan
    from blocks.problems import Problem
    from blocks.report import Item
    from blocks.run.engine_run import RunStopped
    from blocks.run.result import Result
    from blocks.scenario import Scenario

FORMATS = ("nc", "csv", "parquet")


class ResultFormat(click.ParamType):  # type: ignore[type-arg, unused-ignore]  # generic in newer versions of click
    """The format of a result: one of Keelblocks' own, or one that a package brings."""

    name = "format"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The format itself. Packages are asked only for what Keelblocks does not write."""
        if value not in FORMATS and value not in self._all():
            self.fail(f"there is no format '{value}'{did_you_mean(value, self._all())}", param, ctx)
        return value

    def get_metavar(self, *args: Any, **named: Any) -> str:
        """All formats, for the help."""
        return f"[{'|'.join(self._all())}]"

    def _all(self) -> list[str]:
        return [*FORMATS, *(ending.removeprefix(".") for ending in named(RESULTS, FORMATS))]


def parameter_options(function: Any) -> Any:
    """The options with which commands change a scenario."""
    for option in reversed(
        (
            click.option(
                "--set",
                "changes",
                multiple=True,
                metavar="PATH=VALUE",
                help='Change a parameter: --set plant.current.speed=0.1, or ="0.2 kn"; several times if need be.',
            ),
            click.option("--solver", help="Solver instead of the scenario's; `keelblocks list solvers` shows all."),
            click.option("--step", metavar="TIME", help='Step instead of the scenario\'s: 0.02, or "20 ms".'),
            click.option("--start", metavar="TIME", help="Start time instead of the scenario's."),
            click.option("--end", metavar="TIME", help="End time instead of the scenario's."),
        )
    ):
        function = option(function)
    return function


def scenario_and_folder(folder: str) -> Callable[[Any], Any]:
    """The argument and the option of commands that write a folder of files about a scenario; `folder` is its help."""
    argument = click.argument("scenario", metavar="SCENARIO", type=click.Path(path_type=Path), callback=_scenario)
    option = click.option("-o", "--output", metavar="DIR", type=click.Path(path_type=Path), help=folder)
    return lambda function: argument(option(function))


def _scenario(ctx: click.Context, option: click.Parameter, path: Path) -> Path:
    """The path of a scenario. The name of an example, which is no file yet, is answered with how it is had."""
    if not path.exists() and path.suffix in ("", ".yaml", ".yml"):
        from blocks.ready.examples import hint

        if said := hint(path):
            raise ScenarioError(f"there is no scenario {path}; {said}")
    if path.suffix in (".nc", ".parquet"):
        beside = path.with_suffix(".yaml")
        such = f", such as {beside}" if beside.exists() else ""
        raise ScenarioError(f"{path} is a result by its name, and a scenario is wanted{such}")
    return path


format_option = click.option(
    "--format",
    "formats",
    multiple=True,
    type=ResultFormat(),
    default=("nc",),
    show_default=True,
    help="Format of the result; can be given several times.",
)


def recording_options(function: Any) -> Any:
    """The options that say what is recorded."""
    every = click.option("--every", type=click.IntRange(min=1), metavar="N", help="Record every n-th point only.")
    record = click.option(
        "--record",
        multiple=True,
        metavar="OUTPUT",
        help="Output to record, such as plant.vessel.eta or 'plant.*'; can be given several times.",
    )
    return every(record(function))


def compiled_option(function: Any) -> Any:
    """The options that say whether a plan is compiled; the command has them as `compiled`: False, True or "auto"."""
    always = click.option(
        "--compiled", "always", is_flag=True,
        help="Compile the plan for this machine first: faster, with the same numbers. It is kept for the next run.",
    )  # fmt: skip
    auto = click.option(
        "--compiled-if-faster", "auto", is_flag=True, help="Compile the plan only where the run is long enough."
    )

    @functools.wraps(function)
    def told(*, always: bool, auto: bool, **rest: Any) -> Any:
        if always and auto:
            raise ScenarioError("--compiled and --compiled-if-faster exclude each other: give one of them")
        return function(compiled=always or ("auto" if auto else False), **rest)

    return always(auto(told))


@click.command("run", short_help="Run a scenario: summary, result and figures.")
@scenario_and_folder("Folder for results and figures; results/NAME if not given.")
@format_option
@click.option("--html", is_flag=True, help="Write a page besides, which simulates again while one drags; see `share`.")
@click.option("--no-figures", is_flag=True, help="Write no figures.")
@click.option("--svg", is_flag=True, help="Write figures as SVG besides PNG.")
@click.option(
    "--animation",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Animate the vessel on its path, in three dimensions: a .gif, or an .mp4, which takes ffmpeg.",
)
@parameter_options
@recording_options
@click.option(
    "--checkpoint",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="File that keeps the state of the run, every 30 s and at its end.",
)
@click.option("--resume", metavar="FILE", type=click.Path(path_type=Path), help="Go on from a checkpoint.")
@compiled_option
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def run_command(
    scenario: Path,
    output: Path | None,
    formats: tuple[str, ...],
    html: bool,
    no_figures: bool,
    svg: bool,
    animation: Path | None,
    changes: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    checkpoint: Path | None,
    resume: Path | None,
    compiled: Asked,
    **settings: Any,
) -> int:
    """Run a scenario: print a summary, and write the result and figures.

    \b
    Examples:
        keelblocks run examples/minerva_los.yaml
        keelblocks run examples/minerva_survey.yaml --set plant.current.speed=0.3 --output strong
        keelblocks run examples/minerva_los.yaml --solver dopri5 --end "2 min" --format csv
        keelblocks run examples/minerva_los.yaml --animation dive.gif
        keelblocks run examples/minerva_los.yaml --html
        keelblocks run examples/minerva_survey.yaml --compiled
        keelblocks run examples/minerva_los.yaml --json --no-figures | jq .cross_track_rms

    The folder then holds NAME.nc (or another format), NAME.yaml, which is the scenario as it was run, mission.png
    with everything for a slide, and one figure for each plot. What was recorded is kept when a run has to stop and
    when it is interrupted.

    \b
    Exit codes: 0 complete, or ended by its stop signal; 2 bad input, or a run that had to stop; 130 interrupted.
    """
    from blocks.simulation import RunInterrupted, RunStopped

    loaded = changed(scenario, changes, settings)
    _, warnings = checked(loaded)
    film = Animation.of(loaded, animation) if animation else None
    folder = output or Path("results") / loaded.name
    for place in (folder, film.target.parent) if film else (folder,):
        check_writable(place)
    code, problems = OK, warnings
    stopped: RunStopped | None = None
    progress = sys.stderr.isatty() and not quiet
    try:
        result = loaded.run(progress=progress, checkpoint=checkpoint, resume=resume, compiled=compiled)
    except RunStopped as problem:
        result, stopped, problems = problem.result, problem, (*warnings, *problem.problems)
        code = INTERRUPTED if isinstance(problem, RunInterrupted) else BAD
    with held():
        files = save(loaded, result, folder, formats)
    items, troubles = _report(loaded, result, folder, () if no_figures else ("png", "svg") if svg else ("png",))
    figures = [item for item in troubles if isinstance(item, Path)]
    errors = [item for item in troubles if isinstance(item, str)]
    if html and len(result) >= 2:
        try:
            files.append(result.save(folder / f"{loaded.name}.html"))
        except KeelblocksError as problem:
            errors.append(str(problem))
    if film and len(result) >= 2:
        try:
            files.append(film.write(result, progress))
        except KeelblocksError as problem:
            errors.append(str(problem))
    causes = _causes(loaded, result, stopped) if code != INTERRUPTED else ()
    if as_json:
        console.data(_summary(loaded, result, str(stopped or ""), items, [*files, *figures], (*problems, *causes)))
    elif not quiet:
        _show(loaded, items, files, figures)
        say_compiled(result.compiled)
    if stopped:
        say_kept(stopped, files)
    for cause in causes:
        warn(cause)
    for text in errors:
        console.error(text)
    return code or (BAD if errors else OK)


def say_compiled(choice: str) -> None:
    """By what it ran and why, if that was asked for."""
    if choice:
        console.output().print(choice, soft_wrap=True, markup=False)


def changed(path: Path, changes: Iterable[str], settings: dict[str, Any]) -> Scenario:
    """A scenario with parameters and settings from the command line."""
    from blocks.plan.settings import Settings
    from blocks.scenario import Scenario

    loaded = Scenario.load(path)
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise ScenarioError(f"--set {change}: write it as PATH=VALUE, such as plant.current.speed=0.1")
        loaded.set(name.strip(), _value(text, f"--set {name}"))
    for key, given in settings.items():
        if given is None or given == ():
            continue
        value = _value(given, f"--{key}") if isinstance(given, str) and key != "solver" else given
        if key not in ("every", "record"):
            try:
                Settings(**{key: value})
            except KeelblocksError as problem:
                raise ScenarioError(f"--{key}: {problem}") from None
        loaded.settings[key] = list(value) if isinstance(value, tuple) else value
    return loaded


def checked(scenario: Scenario, *, ends: bool = True) -> tuple[Plan, tuple[Problem, ...]]:
    """The plan of a scenario that can be run, and what is improbable in it, which is said.

    ends: whether it has to say when it ends.
    Raises ScenarioError if it cannot be run.
    """
    from blocks.checking import require

    plan, warnings = require(scenario)
    warnings = tuple(problem for problem in warnings if ends or problem.code != "no-end")
    for problem in warnings:
        warn(problem)
    return plan, warnings


def _value(text: str, option: str) -> Any:
    """A value as it would stand in the scenario: a number, text with a unit, or a list."""
    from blocks.yaml.reading import read

    return read(text, option).data if text.strip() else text


def check_writable(folder: Path) -> None:
    """Find out before the run, and not after it, that its result cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise ScenarioError(f"cannot write results to {folder}: {problem.strerror or problem}") from None


def save(scenario: Scenario, result: Result, folder: Path, formats: tuple[str, ...]) -> list[Path]:
    """The result in each format, and the scenario. A result that cannot be written there is kept elsewhere."""
    files: list[Path] = []
    if len(result) == 0:
        return files
    for ending in dict.fromkeys(formats):
        name = f"{scenario.name}.{ending}"
        try:
            files.append(result.save(folder / name))
        except KeelblocksError as problem:
            refuge = Path(tempfile.mkdtemp(prefix="keelblocks-")) / f"{scenario.name}.nc"
            try:
                result.save(refuge)
            except KeelblocksError:
                shutil.rmtree(refuge.parent, ignore_errors=True)
                raise problem from None
            raise ScenarioError(f"{problem}\nThe result has been kept in {refuge}") from None
    files.append(scenario.save(folder / f"{scenario.name}.yaml"))
    return files


def _causes(scenario: Scenario, result: Result, stopped: RunStopped | None) -> tuple[Problem, ...]:
    """What the loops have to do with a run that had to stop, or that swings on and on."""
    from blocks.checking.loops import divergence, oscillations, stop_causes

    if stopped is not None:
        return stop_causes(scenario, float(result.time[-1])) if len(result) > 1 else ()
    return divergence(scenario, result) or oscillations(scenario, result)


def say_kept(stopped: RunStopped, files: list[Path]) -> None:
    """Why a run had to stop, and where what was recorded until then is: in the first of these files."""
    kept = f"what was recorded until then is in {files[0]}" if files else "nothing was recorded until then"
    tell(stopped, kept)


def _report(
    scenario: Scenario, result: Result, folder: Path, formats: tuple[str, ...]
) -> tuple[list[Item], list[Path | str]]:
    """The summary and the figures, or why there are none; the result itself is safe by then."""
    from blocks.report import save_figures, summarise

    try:
        items = summarise(result, scenario.diagram, scenario.report)
        if not formats or len(result) < 2:
            return items, []
        return items, [
            *save_figures(
                result,
                scenario.diagram,
                folder,
                scenario.report,
                title=scenario.title or scenario.name,
                formats=formats,
            )
        ]
    except KeelblocksError as problem:
        return summarise(result, scenario.diagram, None), [str(problem)]


def _summary(
    scenario: Scenario,
    result: Result,
    message: str,
    items: list[Item],
    files: list[Path],
    problems: tuple[Problem, ...],
) -> dict[str, Any]:
    from blocks.checking.records import as_data

    return {
        "name": scenario.name,
        **{item.key: item.value for item in items},
        "message": message,
        "problems": as_data(problems),
        **({"compiled": result.compiled} if result.compiled else {}),
        "files": [str(path) for path in files],
    }


def _show(scenario: Scenario, items: list[Item], files: list[Path], figures: list[Path]) -> None:
    out = console.output()
    out.print(
        console.table(
            ("", ""), [(i.label, i.text) for i in items if i.label], title=scenario.title or scenario.name, header=False
        )
    )
    for path in files:
        out.print(f"wrote {path}", soft_wrap=True, markup=False)
    if figures:
        more = f" and {len(figures) - 1} more figures" if len(figures) > 1 else ""
        out.print(f"wrote {figures[0]}{more}", soft_wrap=True, markup=False)
