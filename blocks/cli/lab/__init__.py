"""`keelblocks lab`: experiments on scenarios."""

from __future__ import annotations

import click

from blocks.cli.group import Cli
from blocks.cli.lab.analysis import linearize_command, trim_command
from blocks.cli.lab.compare import compare_command
from blocks.cli.lab.design import design_command
from blocks.cli.lab.identify import identify_command
from blocks.cli.lab.manoeuvre import manoeuvre_command
from blocks.cli.lab.tune import tune_command

__all__ = ["lab_command"]


@click.group("lab", cls=Cli, short_help="Experiments: comparisons, tuning, identification, manoeuvres.")
def lab_command() -> None:
    """Experiments on scenarios: equilibria of a vessel, how near to instability a loop is, how it turns and stops.

    \b
    Examples:
        keelblocks lab design examples/minerva_survey.yaml --figure design.png
        keelblocks lab trim examples/otter_los.yaml --at "60 s"
        keelblocks lab linearize examples/minerva_los.yaml --at "20 s" --open autopilot.heading.output --bode bode.png
        keelblocks lab manoeuvre zigzag boat.yaml --helm rudder.command --order "20 deg" --figure zigzag.png
        keelblocks lab compare examples/comparisons/los_benchmark.yaml --output build/los
        keelblocks lab tune examples/tuning/otter_heading.yaml --output build/heading
        keelblocks lab identify examples/identification/otter.yaml --output build/otter
    """


for _command in (
    design_command, trim_command, linearize_command, manoeuvre_command, compare_command, tune_command, identify_command,
):  # fmt: skip
    lab_command.add_command(_command)
