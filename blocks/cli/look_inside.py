"""`keelblocks show SCENARIO [BLOCK]`: the blocks of a scenario, or one of them with its values; a formula typeset."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.cli import console
from blocks.errors import ScenarioError, did_you_mean

if TYPE_CHECKING:
    from blocks.basic import Formula
    from blocks.block import Block


def show_of_scenario(file: str, path: str, *, as_json: bool) -> None:
    """One block, or all of them in a list. Raises ScenarioError."""
    from blocks.scenario import Scenario

    known = Scenario.load(file).diagram.blocks()
    if not path:
        _list(known, as_json)
    elif path not in known:
        ends = {name.rpartition(".")[2]: name for name in known}
        near = did_you_mean(path, ends) if "." not in path else did_you_mean(path, known)
        inside = [name for name in known if name.startswith(f"{path}.") or name.endswith(f".{path}")]
        if inside:
            near = f"; there {'is' if len(inside) == 1 else 'are'} {', '.join(inside)}"
        raise ScenarioError(f"{file} has no block '{path}'{near}")
    else:
        _show(path, known[path], file, as_json)


def _list(known: dict[str, Block], as_json: bool) -> None:
    from blocks.model.describe import summary

    rows = [{"block": name, "type": one.type_name(), "what it is": summary(type(one))} for name, one in known.items()]
    if as_json:
        console.data(rows)
    else:
        console.output().print(console.table(("block", "type", "what it is"), [list(row.values()) for row in rows]))


def _show(path: str, block: Block, file: str, as_json: bool) -> None:
    from blocks.basic import Formula
    from blocks.formula.latex import latex
    from blocks.formula.letters import spelled
    from blocks.model.describe import describe_values, summary

    described: dict[str, Any] = {"block": path, "type": block.type_name(), "symbols": describe_values(block)}
    formula = block if isinstance(block, Formula) else None
    if formula is not None:
        described["symbols"] += _helpers(formula)
        described |= formula.declaration_data() | {"latex": latex(formula.equations)}
    if as_json:
        console.data(described)
        return
    out = console.output()
    out.print(f"[bold]{path}[/bold]  {described['type']} in {file}\n", highlight=False)
    if formula is None:
        out.print(summary(type(block)), markup=False)
    else:
        for line in formula.typeset(out.width if sys.stdout.isatty() else 100).splitlines():
            out.print(f"  {line}".rstrip(), markup=False, highlight=False, soft_wrap=True)
    out.print()
    symbols = formula.equations.symbols if formula is not None else {}
    rows = [
        (
            _named(s["name"], spelled(s["name"]) if s["name"] in symbols else s["name"]),
            s["role"],
            "×".join(map(str, s["shape"])) or "1",
            s["unit"],
            _value(s.get("value")),
            s["doc"],
        )
        for s in described["symbols"]
    ]
    out.print(console.table(("name", "role", "size", "unit", "value", ""), rows))


def _helpers(formula: Formula) -> list[dict[str, Any]]:
    """What `let` names."""
    from blocks.model.describe import unit_text

    docs = formula.written.descriptions
    return [
        {"name": s.name, "role": "let", "shape": list(s.shape), "unit": unit_text(s.unit), "doc": docs.get(s.name, "")}
        for s in formula.equations.symbols.values()
        if s.role == "helper"
    ]


def _named(name: str, drawn: str) -> str:
    return name if drawn == name else f"{drawn}  {name}"


def _value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    return np.array2string(np.asarray(value), separator=", ", threshold=12, formatter={"float": lambda x: f"{x:.10g}"})
