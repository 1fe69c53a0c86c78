"""`keelblocks lab tune`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.group import INTERRUPTED, OK
from blocks.cli.lab.files import check_folder

if TYPE_CHECKING:
    from blocks.lab.tuning import Tuned, Tuning


@click.command("tune", short_help="Find the parameters at which a metric is least.")
@click.argument("file", metavar="TUNING", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", metavar="DIR", type=click.Path(path_type=Path),
    help="Folder for scenario.yaml, trials.csv and tuning.png; results/NAME if not given.",
)  # fmt: skip
@click.option("--method", metavar="NAME", help="Method instead of the file's.")
@click.option("--trials", type=click.IntRange(min=2), help="About how many sets of values are tried.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the search instead of the file's.")
@click.option("--solver", help="Solver instead of the file's.")
@click.option("--step", metavar="TIME", help='Step instead of the file\'s: 0.02, or "20 ms".')
@click.option("--end", metavar="TIME", help="End time instead of the file's.")
@click.option("--workers", type=click.IntRange(min=1), help="Threads that try at once; all cores if not given.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON, in SI.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def tune_command(
    file: Path, output: Path | None, workers: int | None, as_json: bool, quiet: bool, **changes: Any
) -> int:
    """Turn parameters of a scenario until a metric of its runs is least; write the best scenario, all trials, a figure.

    A tuning file says what is to be least, over which parameters and between what:

    \b
        keelblocks_tuning: 1
        name: heading
        scenario: boat.yaml
        minimise: itae(vessel.eta[psi], wanted.y)
        over:
          heading.kp: [10, 1000]
          heading.kd: [10, 1000]
        subject_to:
          largest(heading.output): 60

    `keelblocks list metrics` shows what can be minimised. Ctrl-C ends the search; what was best until then is written.

    \b
    Example:
        keelblocks lab tune examples/tuning/otter_heading.yaml --output build/heading
        keelblocks run build/heading/scenario.yaml
    \b
    Exit codes: 0 done; 2 bad input, or no trial succeeded; 130 interrupted.
    """
    from blocks.lab.tuning import Tuning, TuningInterrupted

    made = Tuning.load(file, **changes)
    target = check_folder(output or Path("results") / made.name)
    code, message, out = OK, "", console.output()
    try:
        tuned = made.run(workers=workers, progress=sys.stderr.isatty() and not quiet)
    except TuningInterrupted as problem:
        tuned, message, code = problem.tuned, str(problem), INTERRUPTED
    if not as_json and not quiet:
        out.print(str(tuned), markup=False, soft_wrap=True)
    files = made.save(tuned, target)
    if as_json:
        console.data({**_data(made, tuned), "files": [str(path) for path in files]})
    elif not quiet:
        for path in files:
            out.print(f"wrote {path}", markup=False, soft_wrap=True)
    if message:
        console.error(message)
    return code


def _data(made: Tuning, tuned: Tuned) -> dict[str, Any]:
    return {
        "name": made.name,
        "objective": tuned.objective,
        "value": tuned.value,
        "values": dict(tuned.values),
        "start": dict(tuned.start),
        "metrics": dict(tuned.metrics),
        "start_metrics": dict(tuned.start_metrics),
        "units": dict(tuned.units),
        "at_bounds": list(tuned.at_bounds),
        "converged": tuned.converged,
        "message": tuned.message,
        "trials": len(tuned.history),
    }
