"""`keelblocks lab design`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from blocks.cli import console
from blocks.cli.group import BAD, OK
from blocks.cli.lab.files import written
from blocks.errors import ScenarioError

if TYPE_CHECKING:
    from blocks.lab.design import Design, Look


@click.command("design", short_help="Look at the loops of a scenario, and find gains that bear more.")
@click.argument("scenario", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.option(
    "--loop", "loops", multiple=True, metavar="NAME", help="Tune this loop, even if it bears enough; its block will do."
)
@click.option(
    "--bandwidth", "bandwidths", multiple=True, metavar="NAME=RAD/S", help="A crossover that is wanted: heading=0.8."
)
@click.option(
    "--phase-margin", default="50 deg", show_default=True, metavar="ANGLE", help="The phase margin that is wanted."
)
@click.option(
    "--speed", "speeds", multiple=True, metavar="SPEED", help='Look at this speed too: 0.5, or "1 kn"; several times.'
)
@click.option(
    "--method",
    default="shaping",
    show_default=True,
    metavar="NAME",
    help="How gains are found: shaping, loop by loop; lqr, all loops at once; run, against the run.",
)
@click.option(
    "--runs", default=60, show_default=True, type=click.IntRange(min=1), metavar="N", help="At most so many, of run."
)
@click.option("--no-run", is_flag=True, help="Do not compare runs with both gains.")
@click.option("--figure", metavar="FILE", type=click.Path(path_type=Path), help="Draw the page: .png, .pdf, .svg.")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write the scenario with the gains there."
)
@click.option("--write", is_flag=True, help="Write the gains into the scenario itself; comments stay.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON, in SI.")
def design_command(
    scenario: Path,
    loops: tuple[str, ...],
    bandwidths: tuple[str, ...],
    phase_margin: str,
    speeds: tuple[str, ...],
    method: str,
    runs: int,
    no_run: bool,
    figure: Path | None,
    output: Path | None,
    write: bool,
    as_json: bool,
) -> int:
    """Find the loops of a scenario, say what they bear, and propose gains where that is too little.

    A loop is opened at the output of its controller, while the others stay closed. Its phase margin is what it may lag
    more before it swings for ever, its gain margin by what the gain may be wrong: 50° and a factor of 2 are worth
    having; under 30° it rings. Modes are named by the states in them: those that grow, that ring, that are slow, and
    those that no controller acts on.

    Loops that bear too little get other gains. --method shaping: loop by loop, with the crossover that they have, or
    that is asked for, and the phase margin that is wanted. lqr: all loops as one, by a linear-quadratic regulator. run:
    those of shaping, turned until the run has the least errors while the margins stay. Guidance gets a longer
    lookahead.

    What is found is tried, all of it or what part of it can be taken. Refused are gains with which something is
    unstable that was not, the loops bear less, the run stops or gets less far, or an error grows by half (RMS); an
    error that grows by less is marked.

    \b
    Examples:
        keelblocks lab design mission.yaml
        keelblocks lab design mission.yaml --figure design.png --output better.yaml
        keelblocks lab design mission.yaml --method run --runs 100
        keelblocks lab design mission.yaml --loop heading --bandwidth heading=0.8 --phase-margin "60 deg" --write

    \b
    Exit codes: 0 nothing is unstable, as it is or with what is proposed; 2 bad input, or gains were found and refused.
    """
    from blocks.lab.design import design
    from blocks.scenario import Scenario
    from blocks.units import to_unit

    if write and output is not None:
        raise ScenarioError("--write changes the scenario itself, --output writes another file: give one of them")
    loaded = Scenario.load(scenario)
    made = design(
        loaded,
        loops=loops or None,
        bandwidth=_numbers(bandwidths),
        phase_margin=to_unit(phase_margin, "rad"),
        speeds=[to_unit(speed, "m/s") for speed in speeds] or None,
        run=not no_run,
        method=method,
        runs=runs,
        progress=method == "run" and sys.stderr.isatty(),
    )
    files = []
    if figure is not None:
        from blocks.lab.design.figure import design_figure

        files.append(written(figure, design_figure(made).savefig))
    if made.proposed and (write or output is not None):
        made.apply()
        files.append(loaded.save(output if output is not None else scenario))
    if as_json:
        console.data(_data(made) | {"files": [str(path) for path in files]})
    else:
        _show(made, write or output is not None)
        for path in files:
            console.output().print(f"wrote {path}", markup=False, soft_wrap=True)
        if (write or output is not None) and not made.proposed:
            console.output().print(f"{output or scenario} was not written")
    final = made.after if made.proposed else made.before
    return BAD if made.refused or final is None or final.unstable else OK


def _numbers(given: tuple[str, ...]) -> dict[str, float]:
    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals or not 0.0 < found[name.strip()] < np.inf:
            raise ScenarioError(f"--bandwidth must be NAME=RAD/S, such as heading=0.8, not '{text}'")
    return found


def _show(made: Design, writing: bool) -> None:
    from blocks.lab.design import words

    out = console.output()

    def say(text: str) -> None:
        out.print(text, markup=False, soft_wrap=True, highlight=False)

    def loops(looked: Look, title: str) -> None:
        out.print(console.table(words.LOOP_HEADER, words.loop_rows(looked), title=f"{title} {looked.at()}"))
        if looked.held:
            say(f"- {', '.join(looked.held)} in the loops is sampled, which these margins leave out")
            return
        for text in (words.together(looked), *words.mode_lines(looked)):
            if text:
                say(f"- {text}")

    loops(made.before, "loops")
    for speed, old, _ in made.sweep:
        if old is not None and old.unstable and not made.before.unstable:
            say(f"- at {speed:.3g} m/s: {old.say(old.unstable[0])}")
    if made.gains:
        out.print()
        out.print(console.table(("gain", "now", "proposed"), words.gain_rows(made)))
        if made.after is not None:
            loops(made.after, "loops with them")
        for text in words.error_lines(made):
            say(f"- {text}")
    out.print()
    if made.refused:
        say(f"nothing is proposed: {made.refused}")
    elif not made.gains:
        say("the gains stay as they are: " + ("; ".join(f"{n} {why}" for n, why in made.kept.items()) or "all is well"))
    elif not writing:
        say("--write writes these gains into the scenario, --output FILE into another one")
    wanted = words.controller_wanted(made)
    if wanted:
        say(wanted)


def _data(made: Design) -> dict[str, Any]:
    def look(found: Look | None) -> dict[str, Any] | None:
        if found is None:
            return None
        return {
            "time": found.moment.time,
            "speed": found.speed,
            "loops": {name: vars(one) for name, one in found.margins.items()},
            "disk": found.disk,
            "modes": [
                {
                    "real": mode.value.real,
                    "imag": mode.value.imag,
                    "states": list(mode.states),
                    "loops": list(mode.acting),
                }
                for mode in found.modes
            ],
            "unstable": [found.say(mode) for mode in found.unstable],
        }

    return {
        "name": made.scenario.name,
        "before": look(made.before),
        "after": look(made.after),
        "gains": {
            name: {"now": np.asarray(old).tolist(), "proposed": np.asarray(new).tolist()}
            for name, (old, new) in made.gains.items()
        },
        "refused": made.refused,
        "kept": dict(made.kept),
        "left": dict(made.left),
        "errors": {name: {"now": old, "proposed": new} for name, (old, new) in made.errors.items()},
        "speeds": [{"speed": speed, "before": look(old), "after": look(new)} for speed, old, new in made.sweep],
    }
