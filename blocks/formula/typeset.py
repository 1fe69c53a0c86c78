"""How a formula is typeset: from its tree to fractions, powers, roots, cases and brackets.

How closely operators bind, and their names, are in `functions`; the order of the text is kept. Brackets that a fraction
or a root makes superfluous go; those that say in which order is computed stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from blocks.formula.elements import (
    Cases,
    Element,
    Fence,
    FenceKind,
    Fraction,
    Letter,
    Matrix,
    Numeral,
    Raised,
    Root,
    Row,
    Sign,
    Word,
)
from blocks.formula.functions import COMPARISON, FUNCTIONS, POWER, PRIMARY, PRODUCT
from blocks.formula.letters import drawn, split
from blocks.formula.tree import Call, Equations, Item, Name, Node, Number, Vector

_SIGNS = {
    "add": "+", "subtract": "−", "less": "<", "less_equal": "≤", "greater": ">", "greater_equal": "≥", "equal": "=",
    "not_equal": "≠", "or": "or", "and": "and", "mod": "mod",
}  # fmt: skip
_FENCED: dict[str, FenceKind] = {"abs": "||", "norm": "‖‖", "floor": "⌊⌋", "ceil": "⌈⌉"}
_PRODUCTS = {"multiply": "·", "matmul": "·", "dot": "·", "cross": "×", "mod": "mod"}
_WORDS = {"log": "ln", "sign": "sgn"}


def equations_of(equations: Equations) -> Iterator[tuple[str, str, Element, Element]]:
    """Section, name, left and right side of each equation: helper lines, outputs, derivatives, next values."""
    for name, node in equations.helpers.items():
        yield "let", name, Letter(name), element(node)
    for name, node in equations.outputs.items():
        yield "outputs", name, Letter(name), element(node)
    for name, node in equations.derivatives.items():
        yield "states", name, _rate(name), element(node)
    for name, node in equations.updates.items():
        yield "update", name, Raised(Letter(name), Sign("+", spaced=False)), element(node)


def _rate(name: str) -> Element:
    """ẋ, or dspeed/dt of what has no single letter."""
    if len(drawn(split(name)[0])) == 1:
        return Letter(name, dotted=True)
    return Fraction(Row((Word("d "), Letter(name))), Row((Word("d"), Letter("t"))))


def element(node: Node, *, flat: bool = False) -> Element:
    """A tree, typeset. flat: in one line, as in a power."""
    if isinstance(node, Number):
        return Numeral(node.place.shown or f"{node.value:g}")
    if isinstance(node, Name):
        return Letter(node.name)
    if isinstance(node, Vector):
        rows = [item.items if isinstance(item, Vector) else (item,) for item in node.items]
        return Matrix(tuple(tuple(element(item) for item in row) for row in rows))
    if isinstance(node, Item):
        index = ",".join(map(_place, node.index))
        if isinstance(node.of, Name):
            return Letter(node.of.name, index)
        return Row((_held(node.of, PRIMARY), Word(f"[{index}]")))
    assert isinstance(node, Call)
    return _call(node, flat=flat)


def _place(index: str | int | tuple[int | None, int | None]) -> str:
    if isinstance(index, tuple):
        return ":".join("" if end is None else str(end) for end in index)
    return str(index)


def _binding(node: Node) -> int:
    """How closely what is drawn binds."""
    if isinstance(node, Number):
        return PRODUCT if re.search("[eE]", node.place.shown) else PRIMARY
    if not isinstance(node, Call):
        return PRIMARY
    if node.function in ("cross", "dot", "mod"):
        return PRODUCT
    if node.function == "divide":
        return PRIMARY
    if node.function == "and" and _chain(node) is not None:
        return COMPARISON
    function = FUNCTIONS.get(node.function)
    return function.binding if function is not None and function.sign else PRIMARY


def _held(node: Node, closest: int, *, flat: bool = False, right: bool = False) -> Element:
    """An operand, in brackets unless it binds closely enough."""
    found = element(node, flat=flat)
    divided = isinstance(node, Call) and node.function == "divide"
    loose = _binding(node) < closest or (divided and (closest >= PRIMARY or (flat and closest > PRODUCT)))
    if right and isinstance(node, Call) and node.function == "negative":
        loose = True
    return Fence(found) if loose else found


def _call(node: Call, *, flat: bool) -> Element:
    name, arguments = node.function, node.arguments
    if name == "divide":
        over, under = arguments
        if not flat:
            return Fraction(element(over), element(under))
        sides = _held(over, PRODUCT, flat=True), _held(under, PRODUCT + 1, flat=True, right=True)
        return Row((sides[0], Sign("/", spaced=False, breaks=False), sides[1]))
    if name == "power":
        return _power(*arguments)
    if name == "negative":
        return Row((Sign("−", spaced=False, breaks=False), _held(arguments[0], PRODUCT, flat=flat, right=True)))
    if name == "not":
        return Row((Word("not "), _held(arguments[0], FUNCTIONS["not"].binding, flat=flat)))
    if name in _PRODUCTS:
        return _product(node, flat=flat)
    if name == "and" and (chain := _chain(node)) is not None:
        return chain
    if name in _SIGNS:
        binding = FUNCTIONS[name].binding
        left = _held(arguments[0], binding + (binding == COMPARISON), flat=flat)
        right = _held(arguments[1], binding + 1, flat=flat, right=True)
        return Row((left, Sign(_SIGNS[name]), right))
    if name == "where":
        return _cases(node)
    if name in _FENCED:
        return Fence(element(arguments[0], flat=flat), _FENCED[name])
    if name in ("sqrt", "cbrt") and not flat:
        return Root(element(arguments[0]), "3" if name == "cbrt" else "")
    if name == "transpose":
        return Raised(_held(arguments[0], PRIMARY), Word("T"))
    return Row((Word(_WORDS.get(name, name)), Fence(_listed(arguments, flat=flat))))


def _listed(arguments: tuple[Node, ...], *, flat: bool) -> Element:
    items: list[Element] = []
    for argument in arguments:
        if items:
            items.append(Sign(",", breaks=False))
        items.append(element(argument, flat=flat))
    return Row(tuple(items)) if len(items) > 1 else items[0]


def _product(node: Call, *, flat: bool) -> Element:
    left, right = node.arguments
    sign = "⊙" if node.function == "multiply" and left.shape and right.shape else _PRODUCTS[node.function]
    sides = _held(left, PRODUCT, flat=flat), _held(right, PRODUCT + 1, flat=flat, right=True)
    return Row((sides[0], Sign(sign, spaced=sign != "·"), sides[1]))


def _power(base: Node, power: Node) -> Element:
    raised = element(power, flat=True)
    if isinstance(base, Call) and isinstance(power, Number) and base.function not in (*_FENCED, "sqrt", "cbrt"):
        function = FUNCTIONS.get(base.function)
        if function is not None and not function.sign and function.group in ("elementary", "angles"):
            word = Word(_WORDS.get(base.function, base.function))
            return Row((Raised(word, raised), Fence(_listed(base.arguments, flat=False))))
    bars = isinstance(base, Call) and base.function in _FENCED
    return Raised(element(base) if bars else _held(base, POWER + 1), raised)


def _chain(node: Call) -> Element | None:
    """a < b < c, which the tree has as two comparisons of one b."""
    items: list[Element] = []
    first, second = node.arguments
    if isinstance(first, Call) and first.function == "and":
        before = _chain(first)
        if not isinstance(before, Row) or not isinstance(first.arguments[1], Call):
            return None
        items, last = list(before.items), first.arguments[1].arguments[-1]
    elif isinstance(first, Call) and _compares(first):
        items, last = list(_call(first, flat=False).items), first.arguments[1]  # type: ignore[attr-defined]
    else:
        return None
    if not isinstance(second, Call) or not _compares(second) or second.arguments[0] is not last:
        return None
    return Row((*items, Sign(_SIGNS[second.function]), _held(second.arguments[1], COMPARISON + 1, right=True)))


def _compares(node: Call) -> bool:
    return node.function in FUNCTIONS and FUNCTIONS[node.function].group == "comparison"


def _cases(node: Call) -> Element:
    """Choices one in the other are one list of cases."""
    rows: list[tuple[Element, Element | None]] = []
    rest: Node = node
    while isinstance(rest, Call) and rest.function == "where":
        condition, chosen, rest = rest.arguments
        rows.append((element(chosen), element(condition)))
    return Cases((*rows, (element(rest), None)))
