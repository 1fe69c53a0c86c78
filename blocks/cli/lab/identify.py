"""`keelblocks lab identify`."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.lab.files import check_folder


@click.command("identify", short_help="Fit parameters of a model to logged data.")
@click.argument("file", metavar="IDENTIFICATION", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", metavar="DIR", type=click.Path(path_type=Path),
    help="Folder for parameters.csv, identified.yaml, fit.png, residuals.png and, of a scenario, scenario.yaml; "
    "results/NAME if not given.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only read the data, and say what is in them.")
@click.option("--next", "looks_ahead", is_flag=True, help="Say which manoeuvre would narrow which interval.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON, in SI.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def identify_command(
    file: Path, output: Path | None, dry_run: bool, looks_ahead: bool, as_json: bool, quiet: bool
) -> int:
    """Find the parameters at which a model does what was measured: values with intervals, what the data cannot tell
    apart, residuals, and a score on data that were held out.

    An identification file names a model, its data, and what is to be found. Columns tell their units in their headings,
    such as "u [m/s]", or units: says them:

    \b
        keelblocks_identification: 1
        name: otter
        model: {type: dynamics.Vessel3DOF, vehicle: otter}
        data: [push.csv, {file: zigzag.csv, gaps: split}]
        hold_out: evasion.csv
        units: {u: m/s, r: deg/s}
        interpolation: {thrust: hold}      # between samples; what is not said is found from the data
        inputs: {"force[X]": thrust, "force[N]": moment}
        outputs: {"nu[u]": u, "nu[r]": r}
        parameters:
          linear_damping[X,u]: [1, 500]
          added_mass[X,u]: {prior: [5, 2]}
        delay: {thrust: [0, 1 s]}          # found beside them, as are lag:, bias: and steady:

    \b
    Examples:
        keelblocks lab identify examples/identification/otter.yaml --output build/otter
        keelblocks lab identify examples/identification/otter.yaml --next
        keelblocks lab identify examples/identification/otter.yaml --dry-run
    """
    from blocks.lab.identification import Identification

    made = Identification.load(file)
    out = console.output()
    if dry_run:
        held_out = made.held_out if isinstance(made.held_out, list) else []
        for log in (*made.logs, *held_out):
            out.print(f"{log}{' (held out)' if log in held_out else ''}", markup=False, soft_wrap=True)
        return OK
    target = check_folder(output or Path("results") / made.name)
    with console.messages().status("fitting …") if sys.stderr.isatty() and not quiet else contextlib.nullcontext():
        found = made.run()
    files = made.save(found, target)
    outlook = made.outlook(found) if looks_ahead else None
    if not as_json and not quiet:
        out.print(str(found), markup=False, soft_wrap=True)
        if outlook is not None:
            out.print(f"\nwhat to measure next, half the interval of each:\n{outlook}", markup=False, soft_wrap=True)
        elif not found.well_known:
            out.print("which manoeuvre would tell more: --next", markup=False, soft_wrap=True)
    if as_json:
        ahead = {} if outlook is None else {"next": outlook.data()}
        console.data({**made.data(found), **ahead, "files": [str(path) for path in files]})
    elif not quiet:
        for path in files:
            out.print(f"wrote {path}", markup=False, soft_wrap=True)
    return OK
