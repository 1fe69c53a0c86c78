"""`keelblocks check`: all that is wrong or improbable in scenarios, and its mend."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.group import BAD, OK
from blocks.cli.problems import show

if TYPE_CHECKING:
    from blocks.checking import Checked


@click.command("check", short_help="Check scenarios without running them, and mend them.")
@click.argument("scenarios", metavar="SCENARIO...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@click.option("--fix", is_flag=True, help="Mend in the files what has a mend that is known, and say what that was.")
@click.option("--strict", is_flag=True, help="Leave with 2 for warnings, too.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors and warnings.")
def check_command(scenarios: tuple[Path, ...], as_json: bool, fix: bool, strict: bool, quiet: bool) -> int:
    """Check scenarios without running them: names, units, ranges, wiring, algebraic loops, solver settings.

    All errors of a file are told, each with its line, and warnings of what is legal and improbable, such as an angle
    of 90 rad. docs/errors.md lists them by their codes.

    \b
    Examples:
        keelblocks check examples/minerva_los.yaml
        keelblocks check examples/*.yaml --json
        keelblocks check mission.yaml --fix

    \b
    Exit codes: 0 all are in order; 2 at least one is not.
    """
    from blocks.checking import check_file

    found = []
    for path in scenarios:
        checked = _fixed(path, quiet or as_json) if fix else check_file(path)
        found.append(checked)
        if as_json:
            continue
        show(checked.problems, checked.text)
        if checked.plan is not None and not quiet:
            data = _data(checked)
            console.output().print(
                f"{checked.file}: in order: {data['blocks']} blocks, {data['connections']} connected inputs, "
                f"{data['continuous_states']} continuous and {data['discrete_states']} discrete states",
                soft_wrap=True,
                markup=False,
            )
    if as_json:
        console.data([_data(checked) for checked in found])
    return BAD if any(checked.errors or (strict and checked.warnings) for checked in found) else OK


def _fixed(path: Path, quiet: bool) -> Checked:
    """Mend a file, and what is left of its problems."""
    from blocks.checking import check_file, fix_text
    from blocks.yaml.mending import write_again

    before = check_file(path)
    if not before.text:
        return before
    fixed = fix_text(before.text, before.file)
    if fixed.mended:
        write_again(path, before.text, fixed.checked.text)
    for problem in fixed.mended if not quiet else ():
        console.output().print(
            f"{problem.place}: mended: {problem.text}: {problem.title}", soft_wrap=True, markup=False
        )
    return fixed.checked


def _data(checked: Checked) -> dict[str, Any]:
    from blocks.checking.records import as_data

    data = {
        "file": checked.file,
        "ok": not checked.errors,
        "message": "\n".join(map(str, checked.errors)),
        "problems": as_data(checked.problems),
    }
    if checked.plan is None or checked.scenario is None:
        return data
    states = checked.plan.states.values()
    return data | {
        "name": checked.scenario.name,
        "blocks": len(checked.plan.flat.leaves),
        "connections": sum(map(len, checked.plan.flat.feeds.values())),
        "continuous_states": sum(state.count for state in states if not state.discrete),
        "discrete_states": sum(state.count for state in states if state.discrete),
        "plan": checked.plan.checksum,
    }
