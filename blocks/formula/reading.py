"""From the texts of a block to its equations: read, named, with shapes and units, and all that is wrong at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from numbers import Real

from blocks.errors import raise_all, shown
from blocks.formula.errors import FormulaError, brief
from blocks.formula.functions import FUNCTIONS
from blocks.formula.grammar import Unknown, parsed
from blocks.formula.names import Names, ordered
from blocks.formula.shapes import shape_of, words
from blocks.formula.tree import Equations, Name, Node, Number, Place, Symbol, Vector, children, walk
from blocks.formula.units import (
    Term,
    Unit,
    Units,
    agree,
    as_text,
    collapsed,
    in_words,
    missing,
    said,
    settled,
    units_of,
    units_of_symbol,
)
from blocks.unit_products import Dimensions, times

Text = str | float | Sequence["Text"]
"""An expression, a number, or a vector or matrix of them."""
DeclaredUnit = str | tuple[str | None, ...] | None

_DEEPEST_LIST = 2
_SECOND: Dimensions = (("s", Fraction(1)),)


def read_equations(
    symbols: Mapping[str, Symbol],
    *,
    let: Mapping[str, Text],
    outputs: Mapping[str, Text],
    states: Mapping[str, Text],
    update: Mapping[str, Text],
    sampled: bool,
    units: Mapping[str, DeclaredUnit] | None = None,
) -> Equations:
    """The equations of a block.

    symbols: its inputs, parameters and states by name, in the order of the declaration. let: helper lines; outputs;
    states: derivatives of the states; update: next values of the discrete states; each an expression, a number, or a
    list of them. sampled: the block acts at points in time, and its relations need no events. units: those that are
    stated of outputs and states, in SI, one for all elements or one each.

    The unit of a state that is stated nowhere follows from its equation. Outputs have the stated unit, or that of their
    expression.

    Raises FormulaError, with a problem for each of all faults that do not follow from others.
    """
    reader = _Reader(symbols, let, outputs, states, update, units or {})
    reader.read()
    found = reader.typed()
    return Equations(
        symbols=found.symbols,
        helpers={name: reader.trees["let", name] for name in reader.order},
        outputs={name: reader.trees["outputs", name] for name in outputs},
        derivatives={name: reader.trees["states", name] for name in states},
        updates={name: reader.trees["update", name] for name in update},
        sampled=sampled,
    )


Key = tuple[str, str]
"""Section and name."""


class _Reader:
    """The texts of a block, and their trees."""

    def __init__(
        self,
        symbols: Mapping[str, Symbol],
        let: Mapping[str, Text],
        outputs: Mapping[str, Text],
        states: Mapping[str, Text],
        update: Mapping[str, Text],
        units: Mapping[str, DeclaredUnit],
    ) -> None:
        self.symbols = dict(symbols)
        self.stated = units
        self.names = Names(symbols, let, {*outputs} - {*symbols})
        sections = {"let": let, "outputs": outputs, "states": states, "update": update}
        self.texts = {(section, name): text for section, group in sections.items() for name, text in group.items()}
        self.trees: dict[Key, Node] = {}
        self.order: list[str] = []
        self.uses: dict[Key, dict[str, Name]] = {}

    def read(self) -> None:
        """Trees, whose names stand for something."""
        faults = [*self.names.faults()]
        for key, text in self.texts.items():
            root = _tree(text, ".".join(key), faults)
            if root is not None:
                self.trees[key] = root
        for key, root in self.trees.items():
            self.uses[key] = self.names.resolve(root, faults)
        lines = {name: used for (section, name), used in self.uses.items() if section == "let"}
        uses = {name: {one: at for one, at in used.items() if one in lines} for name, used in lines.items()}
        self.order = ordered(uses, faults)
        self.faults = faults

    def typed(self) -> _Types:
        """Shapes and units of all trees; units of states that follow from others."""
        known = dict(self.symbols)
        for name, symbol in known.items():
            if symbol.role in ("state", "discrete state") and symbol.unit is None and self.stated.get(name):
                known[name] = replace(symbol, unit=_stated(self.stated[name]))
        while True:
            found = _Types(self, known)
            found.all()
            learned = found.learned()
            if not learned:
                raise_all(self.faults + found.faults)
                return found
            known |= learned


class _Types:
    """Shapes and units of the trees of a block, with what is known of its symbols."""

    def __init__(self, reader: _Reader, known: Mapping[str, Symbol]) -> None:
        self.reader = reader
        self.symbols = dict(known)
        self.units: dict[int, Units] = {}
        self.faults: list[FormulaError] = []
        self.turned: set[str] = set()

    def all(self) -> None:
        trees = self.reader.trees
        for name in self.reader.order:
            root = trees["let", name]
            if self.of(root):
                self.symbols[name] = Symbol(name, "helper", root.shape, _stated(root.unit))
        for (section, name), root in trees.items():
            if section != "let" and self.of(root):
                self.check(section, name, root)

    def of(self, root: Node) -> bool:
        """Give all nodes of a tree their shapes and units; False where its shape cannot be told."""
        failed: set[int] = set()
        for node in walk(root):
            if isinstance(node, Unknown) or any(id(child) in failed for child in children(node)):
                failed.add(id(node))
                continue
            if isinstance(node, Name) and not self.known(node):
                failed.add(id(node))
                continue
            try:
                node.shape = shape_of(node, FUNCTIONS)
            except FormulaError as fault:
                self.faults.append(fault)
                failed.add(id(node))
                continue
            try:
                self.units[id(node)] = units_of(node, self.units, FUNCTIONS)
            except FormulaError as fault:
                self.faults.append(fault)
                self.units[id(node)] = (None,)
            node.unit = as_text(self.units[id(node)])
        return id(root) not in failed

    def known(self, name: Name) -> bool:
        """Say what a name stands for, as far as that is known by now."""
        if name.symbol is None or name.symbol.role not in ("time", "constant"):
            name.symbol = self.symbols.get(name.name)
        elif name.symbol.role == "time":
            self.symbols[name.name] = name.symbol
        return name.symbol is not None

    def check(self, section: str, name: str, root: Node) -> None:
        """That an equation fits what is declared of its output or state."""
        units = self.units[id(root)] if isinstance(root, Name) else settled(self.units[id(root)])
        symbol = self.symbols.get(name)
        if section == "outputs":
            stated = self.reader.stated.get(name)
            wanted = units_of_symbol(stated)
            fits = not isinstance(stated, tuple) or len(stated) == math.prod(root.shape)
            message = f"{len(stated or '')} units are stated of {words(root.shape)}"
            hint = "write one for each element, or one for all of them"
        else:
            assert symbol is not None
            wanted = units_of_symbol(symbol.unit)
            if section == "states":
                wanted = tuple(None if unit is None else times((unit, 1), (_SECOND, -1)) for unit in wanted)
            fits = root.shape == symbol.shape
            message = f"{name} is {words(symbol.shape)}, and '{brief(root)}' is {words(root.shape)}"
            hint = "write a list, an expression for each element" if symbol.shape else ""
        if not fits:
            self.faults.append(FormulaError(message, place=root.place, code="shape-mismatch", hint=hint))
            return
        self.compare(section, name, root, wanted)
        root.unit = as_text(collapsed(tuple(unit if want is None else want for want, unit in _pairs(wanted, units))))

    def compare(self, section: str, name: str, root: Node, wanted: Units) -> None:
        """Tell of the first element whose unit is not the wanted one."""
        for i, (want, unit) in enumerate(_pairs(wanted, self.units[id(root)])):
            if agree(want, unit):
                continue
            single = root.items[i] if isinstance(root, Vector) and len(root.shape) == 1 else root
            element = i if single is root and len(self.units[id(root)]) > 1 else None
            self.faults.append(
                FormulaError(
                    f"{said(Term(unit, single, element))}, but {_WANTED[section].format(name)} {in_words(want)}",
                    place=single.place,
                    code="unit-mismatch",
                    hint=missing(want, unit),
                )
            )
            return

    def learned(self) -> dict[str, Symbol]:
        """States whose unit was not known, and follows from their equations."""
        found: dict[str, Symbol] = {}
        for (section, name), root in self.reader.trees.items():
            symbol = self.symbols.get(name)
            units = self.units.get(id(root))
            if section not in ("states", "update") or symbol is None or symbol.unit is not None or units is None:
                continue
            power = 1 if section == "states" else 0
            if root.shape == symbol.shape and None not in units:
                made = tuple(times((unit, 1), (_SECOND, power)) for unit in units if unit is not None)
                found[name] = replace(symbol, unit=_stated(as_text(settled(made))))
        return found


_WANTED = {
    "outputs": "{} is stated",
    "states": "the rate of change of {} is",
    "update": "{} and its next value are",
}


def _pairs(wanted: Units, units: Units) -> list[tuple[Unit, Unit]]:
    """Element by element; one for all goes with each."""
    count = math.lcm(len(wanted), len(units))
    return list(zip(wanted * (count // len(wanted)), units * (count // len(units)), strict=True))


def _stated(unit: DeclaredUnit) -> str | tuple[str, ...] | None:
    return tuple(one or "" for one in unit) if isinstance(unit, tuple) else unit


def _tree(text: Text, part: str, faults: list[FormulaError], depth: int = 0) -> Node | None:
    """The tree of an expression, a number, or a list of them; None if it is none, and its faults in the list."""
    try:
        if isinstance(text, str):
            return parsed(text, part, faults)
        if isinstance(text, Real) and not isinstance(text, bool) and math.isfinite(text):
            number = f"{text:.17g}"
            return Number(Place(part, number, 0, len(number)), float(text))
        if not isinstance(text, (list, tuple)) or depth == _DEEPEST_LIST or not text:
            raise _no_text(text, part)
    except FormulaError as fault:
        faults.append(fault)
        return None
    found = [(f"{part}[{number}]", item) for number, item in enumerate(text)]
    items = tuple(_tree(item, where, faults, depth + 1) or Unknown(Place(where, "", 0, 0), ()) for where, item in found)
    whole = f"[{', '.join(item.place.text for item in items)}]"
    return Vector(Place(part, whole, 0, len(whole)), items)


def _no_text(value: object, part: str) -> FormulaError:
    text = shown(value)
    return FormulaError(
        "an expression, a number, or a list of them is wanted",
        place=Place(part, text, 0, len(text)),
        hint="a vector is [a, b, c], and a matrix a list of such rows" if isinstance(value, (list, tuple)) else "",
    )
