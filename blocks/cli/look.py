"""`keelblocks list` and `show`: the blocks, vehicles and metrics of the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np

from blocks import elsewhere
from blocks.basic.common import NO_LIMIT
from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.look_inside import show_of_scenario
from blocks.errors import ScenarioError, did_you_mean

KINDS = ("blocks", "vehicles", "solvers", "metrics", "examples")


@click.command("list", short_help="List blocks, vehicles, solvers, metrics or examples.")
@click.argument("kind", type=click.Choice(KINDS), default="blocks")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects as JSON.")
def list_command(kind: str, as_json: bool) -> int:
    """List the blocks of the library, the vehicles, the solvers, the metrics of runs, or the examples, which
    `keelblocks copy` copies.

    \b
    Examples:
        keelblocks list
        keelblocks list vehicles
        keelblocks list examples
        keelblocks list blocks --json
    """
    rows = {"blocks": _blocks, "vehicles": _vehicles, "solvers": _solvers, "metrics": _metrics, "examples": _examples}[
        kind
    ]()
    if as_json:
        console.data(rows)
        return OK
    columns = list(rows[0])
    console.output().print(console.table(columns, [[row[column] for column in columns] for row in rows]))
    return OK


def _blocks() -> list[dict[str, str]]:
    from blocks.block import library
    from blocks.libraries.origin import origin_of
    from blocks.model.describe import summary

    return [{"block": name, "what it is": summary(cls), "from": origin_of(cls)} for name, cls in library().items()]


def _vehicles() -> list[dict[str, str]]:
    from blocks.vehicles.vehicle import describe, list_vehicles

    read = {name: describe(name) for name in list_vehicles()}
    return [
        {"vehicle": name, "title": vehicle.title, "sections": ", ".join(vehicle.sections)}
        for name, vehicle in read.items()
    ]


def _solvers() -> list[dict[str, str]]:
    from blocks.plan.settings import ADAPTIVE, FIXED_STEP, SOLVERS

    def step(name: str) -> str:
        return "fixed" if name in FIXED_STEP else "adaptive" if name in ADAPTIVE else "adaptive, by SciPy"

    return [{"solver": name, "step": step(name), "what it is": _SOLVERS[name]} for name in SOLVERS]


def _metrics() -> list[dict[str, str]]:
    from blocks.metrics import DEFINITIONS
    from blocks.metrics.text import combined

    return [
        {"metric": one.usage, "unit": combined(one.unit, "y"), "what it is": one.doc, "definition": one.formula}
        for one in DEFINITIONS.values()
    ]


_SOLVERS = {
    "euler": "explicit Euler, order 1",
    "heun": "Heun, order 2",
    "rk4": "classical Runge-Kutta, order 4; the default",
    "dopri5": "Dormand-Prince, order 5 with an error estimate of order 4; locates zero crossings",
    "LSODA": "Adams and BDF, switches between them as stiffness comes and goes",
    "BDF": "backward differentiation, orders 1 to 5, for stiff diagrams",
    "Radau": "implicit Runge-Kutta of the Radau IIA family, order 5, for stiff diagrams",
}


def _examples() -> list[dict[str, str]]:
    from blocks.ready.examples import examples

    return [{"example": one.name, "what it shows": one.title, "kind": one.kind} for one in examples().values()]


@click.command("show", short_help="Show a block, of the library or of a scenario, an FMU or a vehicle in full.")
@click.argument("what", nargs=-1, required=True, metavar="BLOCK | SCENARIO [BLOCK] | FILE.fmu | vehicle NAME")
@click.option("--json", "as_json", is_flag=True, help="Print what is declared as JSON.")
def show_command(what: tuple[str, ...], as_json: bool) -> int:
    """Show a block: documentation, equations, ports, parameters with unit, range and default; or a vehicle.

    An FMU is shown as the block fmu.FmuBlock that it becomes. Of a scenario its blocks are listed, or one of them is
    shown with its values: a formula typeset, with the unit of each symbol.

    \b
    Examples:
        keelblocks show guidance.LineOfSight
        keelblocks show PID
        keelblocks show pump.fmu
        keelblocks show mission.yaml
        keelblocks show mission.yaml plant.drag
        keelblocks show vehicle minerva
        keelblocks show vehicle my_vehicle.yaml
    """
    if what[0] == "vehicle":
        if len(what) != 2:
            raise ScenarioError("name one vehicle, such as: keelblocks show vehicle minerva")
        _show_vehicle(what[1], as_json)
    elif what[0].lower().endswith((".yaml", ".yml")):
        if len(what) > 2:
            raise ScenarioError("name one block of the scenario, such as: keelblocks show mission.yaml vessel")
        show_of_scenario(what[0], what[1] if len(what) == 2 else "", as_json=as_json)
    elif len(what) != 1:
        raise ScenarioError("name one block, such as: keelblocks show guidance.LineOfSight")
    else:
        _show_block(what[0], as_json)
    return OK


def _class_named(name: str) -> Any:
    """The class of a block of the library, with or without its family, or of an FMU."""
    from blocks.block import library
    from blocks.libraries.loading import beside, load_library
    from blocks.model.block import FAMILIES
    from blocks.vehicles.vehicle import list_vehicles

    family = name.partition(".")[0]
    if family not in FAMILIES and "." in name and beside(family, Path()) is not None:
        load_library(family, Path())
    known = library()
    for cls in known.values():
        if name.lower().endswith(cls.declared_in):
            return cls.chosen({cls.positional[0]: name}, Path(), {})
    if name.lower().endswith(".ssp"):
        raise ScenarioError(f"'{name}' is a system, not a block; it is opened in Python, with fmu.read_ssp")
    meant = [full for full in known if name.lower() in (full.lower(), full.partition(".")[2].lower())]
    if not meant:
        if name in list_vehicles():
            raise ScenarioError(f"no block '{name}'; `keelblocks show vehicle {name}` shows that vehicle")
        if other := elsewhere.block(name) or elsewhere.solver(name):
            raise ScenarioError(f"no block '{name}'; {other.advice}")
        short = {full.partition(".")[2]: full for full in known}
        raise ScenarioError(f"no block '{name}'{did_you_mean(name, known if '.' in name else short)}")
    if len(meant) > 1:
        raise ScenarioError(f"'{name}' can be {' or '.join(meant)}")
    return known[meant[0]]


def _show_block(name: str, as_json: bool) -> None:
    from blocks.compiled.lanes import side_by_side
    from blocks.libraries.origin import origin_of
    from blocks.model.describe import describe_block
    from blocks.scenario.writing import example_text

    cls = _class_named(name)
    described = describe_block(cls) | {"from": origin_of(cls), "side_by_side": side_by_side(cls)}
    if as_json:
        console.data(described)
        return
    out = console.output()
    out.print(f"[bold]{described['type']}[/bold]" + (f"  from {described['from']}" if cls.library else "") + "\n")
    out.print(described["doc"], markup=False)
    out.print()
    for title, ports in (("Inputs", described["inputs"]), ("Outputs", described["outputs"])):
        rows = [(p["name"], _size(p), p["unit"], p.get("frame", ""), _port_words(p)) for p in ports]
        if rows:
            out.print(console.table(("name", "size", "unit", "frame", ""), rows, title=title))
    rows = [
        (s["name"], _size(s), s["unit"], "discrete" if s["discrete"] else "", s["doc"]) for s in described["states"]
    ]
    if rows:
        out.print(console.table(("name", "size", "unit", "", ""), rows, title="States"))
    parameters = [
        (p["name"], _size(p), _unit(p), _default(p), p.get("range", ""), _parameter_words(p))
        for p in described["parameters"]
    ]
    if parameters:
        columns = ("name", "size", "unit", "default", "range", "")
        out.print(console.table(columns, parameters, title="Parameters"))
    rows = [(c["name"], _size(c), c["unit"], ", ".join(c["from"]), c["doc"]) for c in described["calculated"]]
    if rows:
        out.print(console.table(("name", "size", "unit", "from", ""), rows, title="Calculated parameters"))
    words = [(how, what, group) for group, rows in cls.vocabulary.items() for how, what in rows]
    if words:
        out.print(console.table(("written", "what it is", "group"), words, title="What expressions can say"))
    if described["side_by_side"]:
        out.print(f"\nSide by side in studies and swarms: {described['side_by_side']}", markup=False, highlight=False)
    example = example_text(cls)
    if example:
        out.print(f"\nExample, among the blocks of a scenario\n\n{example}", markup=False, highlight=False)


def _size(item: dict[str, Any]) -> str:
    return "×".join(map(str, item["shape"])) or "1"


def _port_words(port: dict[str, Any]) -> str:
    return f"{port['doc']}{'' if port.get('required', True) else ' (need not be connected)'}"


def _unit(parameter: dict[str, Any]) -> str:
    """The unit of a number; names and switches have none."""
    numeric = not ("choices" in parameter or "text" in parameter or isinstance(parameter.get("default"), bool))
    return str(parameter["unit"]) if numeric else ""


def _default(parameter: dict[str, Any]) -> str:
    if parameter["required"]:
        return "required"
    default: Any = parameter["default"]
    if isinstance(default, (bool, str)):
        return str(default).lower() if isinstance(default, bool) else default
    if np.size(default) == 1 and abs(float(np.ravel(default)[0])) >= NO_LIMIT:
        return "no limit"
    return f"{default:g}" if isinstance(default, (int, float)) else str(default)


def _parameter_words(parameter: dict[str, Any]) -> str:
    choices = f" ({', '.join(parameter['choices'])})" if "choices" in parameter else ""
    return f"{parameter['doc']}{choices}"


def _show_vehicle(name: str, as_json: bool) -> None:
    from blocks.vehicles.vehicle import check, describe

    vehicle = describe(name)
    check(name)
    if as_json:
        console.data(vehicle.model_dump(exclude={"shared"}))
        return
    out = console.output()
    out.print(f"[bold]{name}[/bold]\n", highlight=False)
    out.print(f"{vehicle.title}\n{vehicle.description}\n", markup=False)
    if vehicle.validity:
        out.print(f"Valid for: {vehicle.validity}\n", markup=False)
    if entries := vehicle.dimensions.entries:
        rows = [(name, _value(e.value), e.unit or "", e.source, e.note) for name, e in entries.items()]
        out.print(console.table(("dimension", "value", "unit", "source", ""), rows, title="Outer dimensions"))
    for title, section in vehicle.sections.items():
        units = _units(section.type)
        rows = [
            (p, _value(e.value), e.unit or units.get(p, ""), e.source, e.note) for p, e in section.parameters.items()
        ]
        heading = f"{title}: {section.type}" + (f", {section.note}" if section.note else "")
        out.print(console.table(("parameter", "value", "unit", "source", ""), rows, title=heading))
    out.print(console.table(("source", ""), list(vehicle.references.items()), title="Sources"))
    if vehicle.faults:
        out.print("\nFaults of the sources", markup=False)
        for fault in vehicle.faults:
            out.print(f"- {fault}", markup=False)


def _units(block: str) -> dict[str, str]:
    """ "SI" for the parameters of a block whose elements have units of their own."""
    from blocks.block import library

    cls = library().get(block)
    return {name: "SI" for name, p in cls.all_parameters().items() if isinstance(p.unit, tuple)} if cls else {}


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{word} {part}" for word, part in value.items())
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "\n".join(map(_value, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "\n".join(map(str, value))
    return f"{value:.10g}" if isinstance(value, float) else str(value)
