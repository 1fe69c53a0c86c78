"""What commands that run the members of a study share: their options, and how they run them."""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli.group import BAD, INTERRUPTED, OK
from blocks.cli.run import compiled_option
from blocks.errors import KeelblocksError, ScenarioError

if TYPE_CHECKING:
    from blocks.compiled.choice import Asked
    from blocks.study import Outcome, Study

Command = Callable[..., Any]


def setting_options(function: Command) -> Command:
    """Options that change how each run is made."""
    return _with(
        function,
        click.option("--solver", help="Solver instead of the file's."),
        click.option("--step", metavar="TIME", help='Step instead of the file\'s: 0.02, or "20 ms".'),
        click.option("--end", metavar="TIME", help="End time instead of the file's."),
        click.option("--seed", type=click.IntRange(min=0), help="Seed of the study instead of the file's."),
    )


def check_settings(settings: dict[str, Any]) -> None:
    """Say which option is wrong, and not which line of the file."""
    from blocks.plan.settings import Settings

    for key in ("solver", "step", "end"):
        if settings[key] is not None:
            try:
                Settings(**{key: settings[key]})
            except KeelblocksError as problem:
                raise ScenarioError(f"--{key}: {problem}") from None


def run_options(function: Command) -> Command:
    """Options that say by whom members are run; the command has them as `how`."""

    @functools.wraps(function)
    def bundled(
        *,
        folder: Path | None,
        executor: str | None,
        scheduler: str | None,
        workers: int | None,
        patience: str,
        batch: int | None,
        compiled: Asked,
        **rest: Any,
    ) -> Any:
        return function(how=How.checked(folder, executor, scheduler, workers, patience, batch, compiled), **rest)

    return _with(
        compiled_option(bundled),
        click.option(
            "--folder", metavar="DIR", type=click.Path(path_type=Path),
            help="Folder that keeps members as they are done: the same command goes on from there.",
        ),
        click.option(
            "--executor", type=click.Choice(("threads", "processes", "serial")),
            help="Where members are run; threads if not given.",
        ),
        click.option(
            "--scheduler", metavar="ADDRESS", help="Dask scheduler that they are run by instead: tcp://host:8786."
        ),
        click.option("--workers", type=click.IntRange(min=1), help="Threads or processes; all cores if not given."),
        click.option(
            "--patience", default="10 min", metavar="TIME", show_default=True,
            help="How long a scheduler may be without workers before the study stops; inf: for ever.",
        ),
        click.option("--batch", type=click.IntRange(min=1), help="Members per task; by what one costs if not given."),
    )  # fmt: skip


@dataclass(frozen=True)
class How:
    """By whom members are run."""

    folder: Path | None
    executor: str
    workers: int | None
    patience: float
    batch: int | None
    compiled: Asked = False

    @classmethod
    def checked(
        cls,
        folder: Path | None,
        executor: str | None,
        scheduler: str | None,
        workers: int | None,
        patience: str,
        batch: int | None,
        compiled: Asked = False,
    ) -> How:
        """What options say. Raises ScenarioError."""
        if scheduler is not None and executor is not None:
            raise ScenarioError("--scheduler and --executor both say where members are run: give one of them")
        if scheduler is not None and workers is not None:
            raise ScenarioError(
                "--workers is for threads and processes: a scheduler gives members to all of its workers"
            )
        return cls(folder, scheduler or executor or "threads", workers, _seconds(patience), batch, compiled)

    def run(self, study: Study, quiet: bool) -> tuple[Outcome, int, str]:
        """What came out, the exit code, and why it had to stop if it had."""
        from blocks.study import StudyInterrupted, StudyStopped

        logger = logging.getLogger("keelblocks.study")
        level = logger.level
        if quiet:
            logger.setLevel(logging.ERROR)
        try:
            outcome = study.run(
                self.executor, workers=self.workers, folder=self.folder, batch=self.batch, patience=self.patience,
                progress=sys.stderr.isatty() and not quiet, compiled=self.compiled,
            )  # fmt: skip
        except StudyStopped as problem:
            return problem.outcome, INTERRUPTED if isinstance(problem, StudyInterrupted) else BAD, str(problem)
        finally:
            logger.setLevel(level)
        return outcome, OK, ""


def _with(function: Command, *options: Command) -> Command:
    for option in reversed(options):
        function = option(function)
    return function


def _seconds(text: str) -> float:
    from blocks.units import to_unit

    try:
        return float(text) if text.strip() == "inf" else to_unit(text, "s")
    except KeelblocksError as problem:
        raise ScenarioError(f"--patience: {problem}") from None
