"""What `keelblocks` says alone: what it is, how to begin, and where help is."""

from __future__ import annotations

from blocks.cli import console

_FIRST_STEPS = [
    ("keelblocks new usv --vehicle otter", "writes a scenario that works, otter_mission.yaml, to be changed"),
    ("keelblocks run otter_mission.yaml", "sails it: numbers here, figures in results/otter_mission"),
    ("keelblocks draw otter_mission.yaml", "draws how its blocks are wired"),
    ("keelblocks copy minerva_survey", "an example, with all that it needs; `keelblocks list examples` has them all"),
    ("keelblocks list vehicles", "the craft that there are; `keelblocks show vehicle otter` has its numbers"),
]
_HELP = [
    ("keelblocks --help", "all commands"),
    ("keelblocks COMMAND --help", "one of them, with examples"),
    ("keelblocks show BLOCK", "a block: equations, ports, parameters, and how a scenario says it"),
]
_PYTHON = [
    ("from blocks import Scenario", ""),
    ('result = Scenario.load("otter_mission.yaml").run()', "sails it"),
    ("result.mission()", "draws it on one page; result.plot() draws signals, print(result.summary()) has the numbers"),
]


def greet() -> None:
    """Print the first steps, which work wherever one is."""
    from blocks.run.result import version

    out = console.output()
    out.print(f"[bold]Keelblocks {version()}[/bold]: marine craft composed from blocks, simulated, taken away as FMUs")
    for title, rows in (("First steps", _FIRST_STEPS), ("Help", _HELP), ("In Python", _PYTHON)):
        out.print()
        indented = [(f"  {command}", what) for command, what in rows]
        out.print(console.table(("", ""), indented, title=title, header=False))
