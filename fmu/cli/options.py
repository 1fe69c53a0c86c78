"""The options of `keelblocks export`: what is in each FMU, and how a system of them is coupled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from blocks.errors import ExportError
from fmu.exporting.layered import LAYERED

_Command = Callable[..., int]


def _together(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """A decorator that gives a command several options, in this order."""

    def give(function: _Command) -> _Command:
        for option in reversed(options):
            function = option(function)
        return function

    return give


fmu_options = _together(
    click.option(
        "--fmi",
        type=click.Choice(("2.0", "3.0")),
        help="Version of FMI; 2.0 if not given, which all tools load.",
    ),
    click.option(
        "--interface",
        "interfaces",
        multiple=True,
        type=click.Choice(("cs", "me")),
        help="Co-simulation or model exchange only; both if not given.",
    ),
    click.option(
        "--platform",
        "platforms",
        multiple=True,
        metavar="NAME",
        help="Platform to run on, such as linux64, win64 or darwin64, or all; several times if need be. Those "
        "that there is a runtime for here if not given.",
    ),
    click.option("--sources", is_flag=True, help="Put the C sources in, for tools that compile FMUs."),
    click.option(
        "--compiled",
        is_flag=True,
        help="Let a C compiler make the binary for this model alone: it runs faster.",
    ),
    click.option(
        "--layered-standard",
        "layered_standards",
        multiple=True,
        type=click.Choice(LAYERED),
        help="Add what a layered standard has: ref, results of the default experiment to check an import by "
        "(FMI-LS-REF); struct, terminals of lookup tables (FMI-LS-STRUCT, FMI 3.0); wasm, a component of "
        "WebAssembly (draft FMI-LS-WASM, FMI 3.0), which zig compiles in 15 s to 25 s the first time; several times if "
        "need be.",
    ),
    click.option("--local-variables", is_flag=True, help="Show the outputs of all blocks inside, for looking into it."),
    click.option(
        "--only-interface/--all-variables",
        default=None,
        help="Show inputs and outputs only, and what --parameter names: some tools (Ecos, libcosim) go through "
        "all variables at each step. If not given, FMUs for co-simulation alone show parameters, too, and "
        "others all.",
    ),
    click.option(
        "--parameter",
        "parameters",
        multiple=True,
        metavar="NAME",
        help='Show this parameter, those of this block, or of this pattern ("*.speed"), and no others; several '
        "times if need be.",
    ),
    click.option(
        "--no-arrays", is_flag=True, help="FMI 3.0: every element a variable, for tools without arrays (Ecos)."
    ),
    click.option("--no-clocks", is_flag=True, help="FMI 3.0: no clocks, for tools without them (Ecos)."),
    click.option(
        "--capacity",
        "capacities",
        multiple=True,
        metavar="SIZE=N",
        help="FMI 3.0: room for N rows where there are fewer now: --capacity guidance.n=50.",
    ),
)
"""The options that say what is in each FMU."""
system_options = _together(
    click.option(
        "--split",
        multiple=True,
        metavar="PART",
        help="SSP, OSP: make parts inside of this subsystem FMUs of their own, by the dotted name of one of "
        "them; several times if need be.",
    ),
    click.option(
        "--communication-step",
        metavar="TIME",
        help='How often FMUs exchange values, of SSP, of OSP, or inside of one FMU: 0.05, or "50 ms"; if not '
        "given, as FMUs from elsewhere say, or each step.",
    ),
    click.option(
        "--boundary/--no-boundary",
        default=None,
        help="SSP: whether inputs and outputs of the diagram are connectors of the system, which libcosim and "
        "Ecos refuse; only where there are inputs if not given.",
    ),
    click.option(
        "--ssp-version",
        type=click.Choice(("1.0", "2.0")),
        help="SSP: version; if not given 1.0, or 2.0 where FMUs are of FMI 3.0.",
    ),
)
"""The options of formats that hold a system of several FMUs."""
modelica_options = _together(
    click.option(
        "--states",
        type=click.Choice(("auto", "tool", "solver")),
        help="Modelica: who integrates, the tool or our solver at its step; if not given the tool, where a "
        "model has no samples and no modes.",
    ),
    click.option(
        "--around",
        type=click.Choice(("c", "fmu")),
        help="Modelica: what models are put around, C that the tool compiles, if not given, or FMUs.",
    ),
    click.option("--library", is_flag=True, help="Modelica: add all blocks of the library, as in examples."),
)
"""The options of Modelica packages."""


def given(capacities: tuple[str, ...] = (), **options: Any) -> dict[str, Any]:
    """The options that were given: what is not given is left to the exporter."""
    found = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in options.items()
        if value not in (None, (), False)
    }
    return found | ({"capacities": dict(_capacity(text) for text in capacities)} if capacities else {})


def _capacity(text: str) -> tuple[str, int]:
    """Read "guidance.n=50"."""
    name, equals, number = text.partition("=")
    if not (name and equals and number.strip().isdecimal()):
        raise ExportError(f"--capacity must be a size and a number of rows, such as guidance.n=50, not '{text}'")
    return name.strip(), int(number)
