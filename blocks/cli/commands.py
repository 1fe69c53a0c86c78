"""The command `keelblocks` as a group of commands: run, check and draw scenarios, study them, look around.

Further commands come by entry points, `export` among them: see `group`.
"""

from __future__ import annotations

import click

from blocks.cli.check import check_command
from blocks.cli.copy import copy_command
from blocks.cli.difference import compare_command, diff_command
from blocks.cli.greeting import greet
from blocks.cli.group import common_options
from blocks.cli.hull import hull_command
from blocks.cli.lab import lab_command
from blocks.cli.library import build_command
from blocks.cli.live import live_command
from blocks.cli.look import list_command, show_command
from blocks.cli.make import draw_command
from blocks.cli.new import new_command
from blocks.cli.route import route_command
from blocks.cli.run import run_command
from blocks.cli.schema import schema_command
from blocks.cli.study import study_command
from blocks.cli.trials import trials_command


@common_options
def cli() -> None:
    """Simulate marine craft that are composed from blocks, and take them away as FMUs.

    A scenario is a YAML file with a diagram, how it is run and what is reported. To begin with, let
    one be written for a vehicle:

    \b
        keelblocks new usv --vehicle otter
        keelblocks run otter_mission.yaml
        keelblocks export otter_mission.yaml --output fmus

    \b
    or copy an example:
        keelblocks copy minerva_los
        keelblocks run examples/minerva_los.yaml

    \b
    and look around:
        keelblocks list
        keelblocks show guidance.LineOfSight
        keelblocks show vehicle minerva

    \b
    Exit codes: 0 done; 1 different, of diff and compare, or failed, of test; 2 bad input, or a run that had to stop;
    130 interrupted.
    """
    if click.get_current_context().invoked_subcommand is None:
        greet()


for _command in (
    run_command,
    live_command,
    check_command,
    draw_command,
    diff_command,
    compare_command,
    list_command,
    show_command,
    schema_command,
    new_command,
    copy_command,
    build_command,
    study_command,
    lab_command,
    route_command,
    hull_command,
    trials_command,
):
    cli.add_command(_command)
