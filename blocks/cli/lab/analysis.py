"""`keelblocks lab trim` and `keelblocks lab linearize`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.lab.files import written
from blocks.cli.lab.spelling import spelled_as_options
from blocks.errors import ScenarioError

if TYPE_CHECKING:
    from blocks.lab.analysis import LinearSystem, OperatingPoint
    from blocks.scenario import Scenario

_SCENARIO = click.argument("scenario", metavar="SCENARIO", type=click.Path(path_type=Path))
_JSON = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
_AT = click.option("--at", metavar="TIME", help='Run until then first: 20, or "2 min". The initial state if not given.')


@click.command("trim", short_help="Find an operating point.")
@_SCENARIO
@click.option(
    "-t", "--target", "targets", multiple=True, metavar="NAME=VALUE",
    help='An output or state and its value: "vessel.nu[u]=2 kn".',
)  # fmt: skip
@click.option(
    "-f",
    "--free",
    multiple=True,
    metavar="NAME",
    help="An input or parameter that may be chosen; by default the inputs.",
)
@click.option(
    "-g", "--guess", multiple=True, metavar="NAME=VALUE",
    help="Where a state, or what may be chosen, begins: of several points the one nearby is found.",
)  # fmt: skip
@click.option("-d", "--drifting", multiple=True, metavar="NAME", help="A state that need not be at rest.")
@_AT
@_JSON
def trim_command(
    scenario: Path,
    targets: tuple[str, ...],
    free: tuple[str, ...],
    guess: tuple[str, ...],
    drifting: tuple[str, ...],
    at: str | None,
    as_json: bool,
) -> int:
    """Find states, inputs and parameters at which everything is at rest, but what drifts, and the targets are met.

    \b
    Example:
        keelblocks lab trim boat.yaml --target "vessel.nu[u]=2 kn" --target "vessel.eta[psi]=30 deg" --free push.value
    """
    from blocks.lab.analysis import trim

    loaded = _load(scenario)
    with spelled_as_options(click.get_current_context()):
        point = trim(
            loaded.diagram, _pairs("--target", targets), free=free or None, guess=_pairs("--guess", guess),
            drifting=drifting or None, start=at, step=loaded.settings.get("step", 0.01),
        )  # fmt: skip
    if as_json:
        console.data(_point(point))
    else:
        console.output().print(str(point), markup=False, soft_wrap=True)
    return OK


@click.command("linearize", short_help="Linearize about a point: modes, margins, Bode plot.")
@_SCENARIO
@_AT
@click.option("-i", "--input", "inputs", multiple=True, metavar="NAME", help="An input, or a parameter, as the input.")
@click.option("-o", "--output", "outputs", multiple=True, metavar="NAME", help='An output: "vessel.eta[psi]".')
@click.option("--open", "opened", multiple=True, metavar="NAME", help="An output at which a loop is opened.")
@click.option("--bode", metavar="FILE", type=click.Path(path_type=Path), help="Draw the Bode plot.")
@click.option("--step-response", metavar="FILE", type=click.Path(path_type=Path), help="Draw the step response.")
@click.option("--matrices", metavar="FILE", type=click.Path(path_type=Path), help="Write A, B, C, D as NumPy's .npz.")
@_JSON
def linearize_command(
    scenario: Path,
    at: str | None,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    opened: tuple[str, ...],
    bode: Path | None,
    step_response: Path | None,
    matrices: Path | None,
    as_json: bool,
) -> int:
    """Linearize the diagram of a scenario, and print its modes; of an opened loop its margins too.

    \b
    Examples:
        keelblocks lab linearize loop.yaml --at "60 s" --open heading.output --bode bode.png
        keelblocks lab linearize loop.yaml --input current.speed --output "vessel.eta[y]" --step-response step.png
    """
    from blocks.lab.analysis import bode_figure, linearize, margins, step_figure
    from blocks.lab.measures import table

    loaded = _load(scenario)
    settings = loaded.settings
    with spelled_as_options(click.get_current_context()):
        system = linearize(
            loaded.diagram, at, inputs=inputs or None, outputs=outputs or None, opened=opened,
            step=settings.get("step", 0.01), solver=settings.get("solver", "rk4"),
        )  # fmt: skip
        is_loop = bool(opened) and system.D.shape == (1, 1)
        found = margins(system) if is_loop else None
        files = []
        for path, figure in ((bode, bode_figure), (step_response, step_figure)):
            if path is not None:
                made = figure(system, title=loaded.title or loaded.name)
                files.append(written(path, made.savefig))
    if matrices is not None:
        files.append(written(matrices, lambda path: np.savez(path, **_matrices(system))))
    if as_json:
        console.data(_system(system) | ({} if found is None else {"margins": vars(found)}))
        return OK
    out = console.output()
    out.print(str(system), markup=False, soft_wrap=True)
    if found is not None:
        out.print(table({opened[0]: found}), markup=False, soft_wrap=True)
    for path in files:
        out.print(f"wrote {path}", markup=False, soft_wrap=True)
    return OK


def _load(path: Path) -> Scenario:
    from blocks.scenario import Scenario

    return Scenario.load(path)


def _pairs(option: str, given: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise ScenarioError(f'{option} must be NAME=VALUE, such as "vessel.nu[u]=2 kn", not "{text}"')
        pairs[name.strip()] = value.strip()
    return pairs


def _matrices(system: LinearSystem) -> dict[str, Any]:
    return {
        "A": system.A, "B": system.B, "C": system.C, "D": system.D,
        "states": np.array(system.states), "inputs": np.array(system.inputs), "outputs": np.array(system.outputs),
    }  # fmt: skip


def _system(system: LinearSystem) -> dict[str, Any]:
    return {
        **{name: np.asarray(value).tolist() for name, value in _matrices(system).items()},
        "eigenvalues": [[value.real, value.imag] for value in system.eigenvalues.tolist()],
        "kinks": [list(pair) for pair in system.kinks],
        "held": list(system.held),
        "point": _point(system.point),
    }


def _point(point: OperatingPoint) -> dict[str, Any]:
    return {
        "time": point.time,
        **{
            what: {name: np.asarray(value).tolist() for name, value in getattr(point, what).items()}
            for what in ("states", "inputs", "parameters", "outputs", "rates")
        },
    }
