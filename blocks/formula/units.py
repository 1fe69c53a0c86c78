"""The unit of every node, by its dimensions: what is added, compared or chosen from agrees, or the place is told.

A number as it stands is pure, 0 has any unit, and what has none that is known goes with everything. Products may gain
or lose radians and revolutions, as `unit_products.agree` has it. Signals are in SI, so that no scale can be wrong.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from blocks.errors import ParameterError
from blocks.formula.errors import FormulaError, brief
from blocks.formula.functions import Function
from blocks.formula.shapes import elements
from blocks.formula.tree import Call, Item, Name, Node, Number, Vector
from blocks.unit_products import Dimensions, dimensions, is_usual, named, times, without_turns

Unit = Dimensions | None
"""None where it is not known."""
Units = tuple[Unit, ...]
"""One for each element, row by row, or one for all of them."""


class Term(NamedTuple):
    """One element of an argument: its unit, and its number where the elements have several units."""

    unit: Unit
    node: Node
    element: int | None = None


PURE: Dimensions = ()
RADIAN: Dimensions = (("rad", Fraction(1)),)
_MOST, _FINEST = 20, 1000
"""The largest exponent, and denominator of one, in a unit."""


@functools.lru_cache(maxsize=1024)
def made_of(unit: str | None) -> Unit:
    """What a unit is made of: None of "" and of what nobody knows."""
    if not unit:
        return None
    try:
        return dimensions(unit)
    except ParameterError:
        return None


def units_of_symbol(unit: str | tuple[str | None, ...] | None) -> Units:
    """The units of a symbol or a declaration."""
    return collapsed(tuple(map(made_of, unit))) if isinstance(unit, tuple) else (made_of(unit),)


def as_text(units: Units) -> str | tuple[str | None, ...] | None:
    """Units as nodes have them."""
    found = tuple(None if unit is None else named(unit) for unit in units)
    return found[0] if len(found) == 1 else found


def collapsed(units: Units) -> Units:
    """One unit instead of many equal ones."""
    return units[:1] if len(set(units)) == 1 else units


def agree(one: Unit, other: Unit) -> bool:
    """Whether two units have the same dimension, or one of them is not known."""
    return one is None or other is None or one == other or without_turns(one) == without_turns(other)


def settled(units: Units) -> Units:
    """Units of a whole expression: without turns that only a product has brought in, "N*m" for N*m*rad; elements that
    could have any, as those of [0, 0, F], have that of the others."""
    found = tuple(unit if unit is None else _settled(unit) for unit in units)
    known = {unit for unit in found if unit is not None}
    return tuple(known) if len(known) == 1 else collapsed(found)


def _settled(unit: Dimensions) -> Dimensions:
    rest = without_turns(unit)
    return unit if all(base == "s" for base, _ in rest) else rest


def common(one: Unit, other: Unit) -> Unit:
    """Of two units that agree the one that says more: the usual one, with the angle of angles and rates."""
    if one is None or other is None or one == other:
        return other if one is None else one
    usual, also = is_usual(one), is_usual(other)
    if usual != also:
        return one if usual else other
    turned = one != without_turns(one)
    angular = all(base == "s" for base, _ in without_turns(one))
    return one if turned == angular else other


def units_of(node: Node, found: Mapping[int, Units], functions: Mapping[str, Function]) -> Units:
    """The units of a node, from those of what it is made of. Raises FormulaError where they do not agree."""
    if isinstance(node, Number):
        return (None,) if node.value == 0.0 else (PURE,)
    if isinstance(node, Name):
        assert node.symbol is not None
        return units_of_symbol(node.symbol.unit)
    if isinstance(node, Vector):
        return collapsed(tuple(unit for item in node.items for unit in _spread(found[id(item)], item)))
    if isinstance(node, Item):
        whole = found[id(node.of)]
        return whole if len(whole) == 1 else collapsed(tuple(whole[i] for i in elements(node)))
    assert isinstance(node, Call)
    return collapsed(tuple(_Rules(node, found, functions[node.function]).units()))


def _spread(units: Units, node: Node) -> Units:
    return units if len(units) > 1 else units * math.prod(node.shape)


class _Rules:
    """What becomes of the units of a call's arguments."""

    def __init__(self, call: Call, found: Mapping[int, Units], function: Function) -> None:
        self.call, self.function, self.found = call, function, found

    def units(self) -> Units:
        rule, shapes = self.function.units, self.function.shapes
        if shapes == "transpose":
            return self.transposed()
        if shapes in ("sum", "norm"):
            return (self.of_all(),)
        if shapes in ("dot", "cross", "matrix product"):
            return self.products()
        return tuple(getattr(self, "rule_" + rule.replace(" ", "_"))(*each) for each in self.each())

    def each(self) -> list[list[Term]]:
        """The arguments of each element: unit, node, and the number of the element where they differ."""
        arguments = [(self.found[id(node)], node) for node in self.call.arguments]
        count = max(len(units) for units, _ in arguments)
        return [
            [Term(units[i], node, i) if len(units) > 1 else Term(units[0], node) for units, node in arguments]
            for i in range(count)
        ]

    # element by element

    def rule_same(self, *arguments: Term) -> Unit:
        """All agree."""
        unit, first = arguments[0].unit, arguments[0]
        for each in arguments[1:]:
            if not agree(unit, each.unit):
                raise self.differ(first, each)
            first = each if unit is None else first
            unit = common(unit, each.unit)
        return unit

    def rule_compares(self, *arguments: Term) -> Unit:
        self.rule_same(*arguments)
        return PURE

    def rule_direction(self, *arguments: Term) -> Unit:
        self.rule_same(*arguments)
        return RADIAN

    def rule_chooses(self, *arguments: Term) -> Unit:
        self.rule_condition(arguments[0])
        return self.rule_same(*arguments[1:])

    def rule_keeps(self, argument: Term) -> Unit:
        return argument.unit

    def rule_drops(self, argument: Term) -> Unit:
        return PURE

    def rule_number(self, *arguments: Term) -> Unit:
        return self.wanted("takes a pure number", *arguments)

    def rule_condition(self, *arguments: Term) -> Unit:
        return self.wanted("takes conditions: comparisons, or pure numbers", *arguments)

    def rule_angle(self, *arguments: Term) -> Unit:
        return self.wanted("takes an angle or a pure number", *arguments)

    def rule_turns(self, *arguments: Term) -> Unit:
        self.wanted("takes an angle", *arguments)
        return RADIAN

    def rule_gives_angle(self, *arguments: Term) -> Unit:
        self.wanted("takes a pure number", *arguments)
        return RADIAN

    def rule_product(self, *arguments: Term) -> Unit:
        return self.turned(self.product(arguments[0].unit, arguments[1].unit))

    def rule_quotient(self, *arguments: Term) -> Unit:
        return self.turned(self.product(arguments[0].unit, arguments[1].unit, -1))

    def turned(self, unit: Unit) -> Unit:
        """Of a product with π in it, which makes one angle of another: 2*pi*n is 1/s, neither in rev/s nor in rad/s."""
        if not unit or unit == (rest := without_turns(unit)):
            return unit
        waiting: list[Node] = [self.call]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Name) and node.name == "pi":
                return rest
            if isinstance(node, Call) and node.function in ("multiply", "divide", "negative", "power"):
                waiting += node.arguments
        return unit

    def rule_square_root(self, argument: Term) -> Unit:
        return self.raised(argument.unit, Fraction(1, 2))

    def rule_cube_root(self, argument: Term) -> Unit:
        return self.raised(argument.unit, Fraction(1, 3))

    def rule_power(self, base: Term, by: Term) -> Unit:
        if not agree(by.unit, PURE):
            raise FormulaError(
                f"an exponent is a pure number, and {said(by)}", place=by.node.place, code="unit-mismatch"
            )
        exponent = literal(by.node)
        if exponent is not None:
            return self.raised(base.unit, exponent)
        if not agree(base.unit, PURE):
            raise FormulaError(
                f"{said(base)}, and what it is raised to is no number as it stands, so its unit would be open",
                place=base.node.place,
                code="unit-mismatch",
                hint="divide it by a quantity of its unit first, (u/u0)**n",
            )
        return None if base.unit is None else PURE

    # of several elements

    def of_all(self) -> Unit:
        """Of all elements, which agree."""
        (node,) = self.call.arguments
        return self.added([Term(unit, node, i) for i, unit in enumerate(self.found[id(node)])])

    def added(self, terms: Sequence[Term]) -> Unit:
        unit, first = terms[0].unit, terms[0]
        for each in terms[1:]:
            if not agree(unit, each.unit):
                raise FormulaError(
                    f"'{self.function.shown}' adds up what is in different units: {_short(first.unit)} of element "
                    f"{first.element} and {_short(each.unit)} of element {each.element}",
                    place=self.call.place,
                    code="unit-mismatch",
                    hint="take elements of one unit, such as x[0:3]",
                )
            first = each if unit is None else first
            unit = common(unit, each.unit)
        return unit

    def products(self) -> Units:
        left, right = self.call.arguments
        of_left, of_right = self.found[id(left)], self.found[id(right)]
        if len(of_left) == len(of_right) == 1:
            return (self.product(of_left[0], of_right[0]),)
        a, b = _spread(of_left, left), _spread(of_right, right)
        if self.function.shapes == "cross":
            rows = [[(1, 2), (2, 1)], [(2, 0), (0, 2)], [(0, 1), (1, 0)]]
        else:
            shared = right.shape[0]
            columns = right.shape[1] if len(right.shape) == 2 else 1
            lines = math.prod(left.shape[:-1])
            rows = [
                [(i * shared + k, k * columns + j) for k in range(shared)] for i in range(lines) for j in range(columns)
            ]
        return tuple(
            self.added([Term(self.product(a[i], b[j]), self.call, k) for k, (i, j) in enumerate(row)]) for row in rows
        )

    def transposed(self) -> Units:
        (node,) = self.call.arguments
        units = self.found[id(node)]
        rows, columns = node.shape
        return units if len(units) == 1 else tuple(units[i * columns + j] for j in range(columns) for i in range(rows))

    # products

    def product(self, one: Unit, other: Unit, power: int = 1) -> Unit:
        return None if one is None or other is None else self.bounded(times((one, 1), (other, power)))

    def raised(self, unit: Unit, power: Fraction) -> Unit:
        return None if unit is None else self.bounded(times((unit, power)))

    def bounded(self, unit: Dimensions) -> Dimensions:
        if any(abs(power) > _MOST or power.denominator > _FINEST for _, power in unit):
            raise FormulaError(
                f"'{brief(self.call)}' would have a unit with exponents beyond {_MOST}, or of many decimals",
                place=self.call.place,
                code="unit-mismatch",
                hint="divide by a quantity of its unit first, (u/u0)**n",
            )
        return unit

    # faults

    def wanted(self, what: str, *arguments: Term) -> Dimensions:
        """Pure numbers, or angles."""
        for each in arguments:
            if not agree(each.unit, PURE):
                subject = "a choice" if self.function.name == "where" else f"'{self.function.shown}'"
                condition = self.function.units in ("condition", "chooses")
                raise FormulaError(
                    f"{subject} {what}, and {said(each)}",
                    place=each.node.place,
                    code="unit-mismatch",
                    hint=f"{brief(each.node)} != 0 is one" if condition else missing(PURE, each.unit),
                )
        return PURE

    def differ(self, first: Term, each: Term) -> FormulaError:
        hint = ""
        for one, other in ((first, each), (each, first)):
            if literal(one.node) is not None and other.unit is not None:
                hint = f"a number with a unit is a parameter, such as limit: {brief(one.node)} {named(other.unit)}"
        shown = "a choice" if self.function.name == "where" else f"'{self.function.shown}'"
        return FormulaError(
            f"{shown} takes one unit, but {said(first)}, and {said(each)}",
            place=each.node.place,
            code="unit-mismatch",
            hint=hint,
        )


def said(argument: Term) -> str:
    """A piece of text and its unit, in words."""
    of = "" if argument.element is None else f"element {argument.element} of "
    return f"{of}'{brief(argument.node)}' is {in_words(argument.unit)}"


def missing(wanted: Unit, given: Unit) -> str:
    """What to do about a unit that is not the wanted one."""
    factor = named(without_turns(times((wanted or PURE, 1), (given or PURE, -1))))
    return f"it needs a factor in {factor}, such as a parameter"


def _short(unit: Unit) -> str:
    return "no known unit" if unit is None else "no unit" if unit == PURE else named(unit)


def in_words(unit: Unit) -> str:
    """What a quantity is by its unit."""
    return "of no known unit" if unit is None else "a pure number" if unit == PURE else f"in {named(unit)}"


def literal(node: Node) -> Fraction | None:
    """The value of a number as it stands: 2, -1, 0.5 or 1/2; None of all else."""
    if isinstance(node, Number):
        return Fraction(repr(node.value)) if abs(node.value) < 1e6 else None
    if isinstance(node, Call) and node.function == "negative":
        inner = literal(node.arguments[0])
        return None if inner is None else -inner
    if isinstance(node, Call) and node.function == "divide":
        above, below = map(literal, node.arguments)
        return above / below if above is not None and below else None
    return None
