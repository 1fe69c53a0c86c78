"""Formulas for tests: equations from Python expressions, and blocks of them, without what users write."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from blocks.basic.formula import Formula
from blocks.formula.program import program_of
from blocks.formula.tree import Call, Equations, Item, Name, Node, Number, Place, Symbol, Vector
from blocks.model.declare import Input, Output, Parameter, State
from blocks.signal import Signal

_OPERATORS = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "power", ast.Mod: "mod",
    ast.MatMult: "matmul", ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal",
    ast.Eq: "equal", ast.NotEq: "not_equal", ast.And: "and", ast.Or: "or", ast.Not: "not", ast.USub: "negative",
}  # fmt: skip


def tree(text: str, part: str, symbols: Mapping[str, Symbol]) -> Node:
    """The tree of an expression."""

    def read(node: Any) -> Node:
        place = Place(part, text, node.col_offset, node.end_col_offset)
        match node:
            case ast.Constant(value=value):
                return Number(place, float(value))
            case ast.Name(id=name):
                return Name(place, name, symbols.get(name))
            case ast.BinOp(left, op, right):
                return Call(place, _OPERATORS[type(op)], (read(left), read(right)))
            case ast.UnaryOp(op, operand):
                return Call(place, _OPERATORS[type(op)], (read(operand),))
            case ast.BoolOp(op, values):
                first, *rest = map(read, values)
                for other in rest:
                    first = Call(place, _OPERATORS[type(op)], (first, other))
                return first
            case ast.Compare(left, [op], [right]):
                return Call(place, _OPERATORS[type(op)], (read(left), read(right)))
            case ast.IfExp(test, body, orelse):
                return Call(place, "where", (read(test), read(body), read(orelse)))
            case ast.Call(ast.Name(id=name), args):
                return Call(place, name, tuple(map(read, args)))
            case ast.List(elts):
                return Vector(place, tuple(map(read, elts)))
            case ast.Subscript(value, index):
                parts = index.elts if isinstance(index, ast.Tuple) else [index]
                return Item(place, read(value), tuple(map(_index, parts)))
        raise TypeError(ast.dump(node))

    return read(ast.parse(text, mode="eval").body)


def _index(node: Any) -> Any:
    if isinstance(node, ast.Slice):
        return (node.lower and ast.literal_eval(node.lower), node.upper and ast.literal_eval(node.upper))
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def equations(
    outputs: Mapping[str, str], inputs: Mapping[str, Any] = {}, parameters: Mapping[str, Any] = {},
    states: Mapping[str, str] = {}, update: Mapping[str, str] = {}, let: Mapping[str, str] = {},
    sizes: Mapping[str, tuple[int, ...]] = {}, sampled: bool = False,
) -> Equations:  # fmt: skip
    """Equations; `inputs` by shape, `parameters` by value, `sizes` are the shapes of states."""
    symbols = {name: Symbol(name, "input", shape) for name, shape in inputs.items()}
    symbols |= {name: Symbol(name, "parameter", _shape(value)) for name, value in parameters.items()}
    symbols |= {name: Symbol(name, "state", sizes.get(name, ())) for name in states}
    symbols |= {name: Symbol(name, "discrete state", sizes.get(name, ())) for name in update}
    symbols |= {"t": Symbol("t", "time")} | {name: Symbol(name, "helper") for name in let}

    def trees(part: str, texts: Mapping[str, str]) -> dict[str, Node]:
        return {name: tree(text, f"{part}.{name}", symbols) for name, text in texts.items()}

    return Equations(
        symbols, trees("let", let), trees("outputs", outputs), trees("states", states), trees("update", update), sampled
    )


def _shape(value: Any) -> tuple[int, ...]:
    shape = []
    while isinstance(value, (list, tuple)):
        shape.append(len(value))
        value = value[0]
    return tuple(shape)


def formula(
    outputs: Mapping[str, str], inputs: Mapping[str, Any] = {}, parameters: Mapping[str, Any] = {},
    initial: Mapping[str, Any] = {}, **more: Any,
) -> Formula:  # fmt: skip
    """A block of equations, its inputs by shape."""
    found = equations(outputs, inputs, parameters, **more)
    program = program_of(found)
    declared: dict[str, Any] = {name: Input(Signal(f"of {name}", shape, None)) for name, shape in inputs.items()}
    for name in found.outputs:
        shape = program.shapes[name]
        state = program.is_state.get(name)
        port = Output(Signal(f"of {name}", shape, None), state=state)
        declared[f"output_{name}" if name in declared or state == name else name] = port
        port.name = name
    for name, value in parameters.items():
        declared[name] = Parameter(value, shape=_shape(value), unit=None)
    for name, symbol in found.symbols.items():
        if "state" in symbol.role:
            discrete = symbol.role == "discrete state"
            declared[f"state_{name}"] = State(
                Signal(f"of {name}", symbol.shape, None), initial=initial.get(name, 0.0), discrete=discrete, name=name
            )
    if program.modes:
        declared[program.mode_state] = State(
            Signal("Modes", (program.modes,)), discrete=True, private=True, name=program.mode_state
        )
    facts = {
        "program": program, "faults": program.faults, "kernel": program.kernel, "sampled": found.sampled,
        "uses_time": program.uses_time, "__module__": "formulas",
    }  # fmt: skip
    made = type(Formula)("Made", (Formula,), {**declared, **facts}, abstract=True)
    return made(**({"period": 0.1} if found.sampled else {}))
