"""Expressions for several members: one number for all stays one, the rest becomes vectors, masks and addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pycparser import c_ast

from cython_kernels.plain_c.lanes.asked import Within
from cython_kernels.plain_c.lanes.types import INT, MASK, RANKS, VOID, D, NotLaned, T, pointer, usual, whole

_COMPARISONS = {"<": "lt", ">": "gt", "<=": "le", ">=": "ge", "==": "eq", "!=": "ne"}
_FLOATS = {
    "sqrt": "kl_sqrt", "floor": "kl_floor", "ceil": "kl_ceil", "trunc": "kl_trunc", "fabs": "kl_fabs",
    "round": "kl_round",
}  # fmt: skip
_UNSIGNED = ("unsigned int", "unsigned long long")


@dataclass(frozen=True)
class E:
    """An expression: its C, its type; truth: whether it is 0 or 1 for what it says; array: that it leads into."""

    text: str
    type: T
    truth: bool = False
    array: str = ""

    @property
    def lane(self) -> bool:
        """Whether it is one value per member."""
        return self.type.lane


@dataclass(frozen=True)
class Place:
    """What can be assigned to. name: of a local variable; otherwise in memory: at an address per member, or not."""

    text: str
    type: T
    name: str = ""
    scattered: bool = False


def to_lane(e: E) -> str:
    """A value per member."""
    if e.lane:
        return e.text
    if e.type.kind == "d":
        return f"kl_d({e.text})"
    if e.type.kind == "i":
        return f"kl_i((long long)({e.text}))"
    if e.type.kind == "p":
        return f"kl_p({e.text})"
    raise NotLaned(f"a {e.type.kind} per member")


def as_mask(e: E) -> str:
    """Where it is true."""
    if e.type.kind == "m":
        return e.text
    if not e.lane:
        return f"kl_truth(({e.text}) != 0)"
    return f"((VI)({e.text} != kl_d(0.0)))" if e.type.kind == "d" else f"kl_ne({e.text}, KL_NONE)"


def as_whole(e: E) -> E:
    """A truth as a number."""
    return E(f"(-{e.text})", INT.laned(), truth=True) if e.type.kind == "m" else e


def as_double(e: E) -> E:
    """A number as a double."""
    e = as_whole(e)
    if e.type.kind == "d":
        return e
    if not e.lane:
        return E(f"((double){e.text})", D)
    by = {"int": "int", "unsigned long long": "ulong"}.get(e.type.name, "long")
    return E(f"kl_of_{by}({e.text})", D.laned())


def as_named(e: E, name: str) -> E:
    """A whole number as one of another type."""
    e = as_whole(e)
    if e.type.name == name:
        return e
    if not e.lane:
        return E(f"(({name}){e.text})", whole(name), truth=e.truth)
    if name in ("int", "unsigned int") and not e.truth:
        return E(f"kl_as_{'int' if name == 'int' else 'uint'}({e.text})", whole(name).laned())
    return E(e.text, whole(name).laned(), truth=e.truth)


def wrapped(text: str, name: str) -> str:
    """What a whole number of a type keeps of a result."""
    return f"kl_as_uint({text})" if name == "unsigned int" else text


class Expressions:
    """Writes the expressions of a variant of a function."""

    def __init__(self, variant: Within) -> None:
        self.variant = variant
        self.program = variant.module.program
        self.cost = 0
        self.asks = False
        self.risky = False

    def of(self, node: Any) -> E:
        """The value of an expression."""
        by: dict[type, Callable[[Any], E]] = {
            c_ast.Constant: self._constant, c_ast.ID: self._id, c_ast.BinaryOp: self._binary,
            c_ast.UnaryOp: self._unary, c_ast.Cast: self._cast, c_ast.FuncCall: self._call,
            c_ast.StructRef: self._load, c_ast.ArrayRef: self._load,
        }  # fmt: skip
        if type(node) not in by:
            raise NotLaned(f"an expression of {type(node).__name__}")
        self.cost += 1
        return by[type(node)](node)

    def _constant(self, node: c_ast.Constant) -> E:
        if node.type in ("double", "float", "long double"):
            return E(node.value, D)
        if node.type == "char":
            return E(node.value, INT)
        value = node.value.lower()
        digits = value.rstrip("ul")
        number = int(digits, 0)
        names = [
            name for name, end in zip(RANKS, (2**31, 2**32, 2**63, 2**64), strict=True)
            if number < end and (name in _UNSIGNED or "u" not in value) and ("l" not in value or "long" in name)
            and (name not in _UNSIGNED or "u" in value or digits.startswith("0x"))
        ]  # fmt: skip
        return E(node.value, whole(names[0]), truth=node.value in ("0", "1"))

    def _id(self, node: c_ast.ID) -> E:
        variables = self.variant.variables
        if node.name in variables:
            return self._load(node)
        if node.name in ("INFINITY", "NAN"):
            return E(f"((double){node.name})", D)
        if node.name in self.program.constants:
            return E(node.name, INT)
        raise NotLaned(f"the name {node.name}")

    # ---- what stands somewhere

    def place(self, node: Any) -> Place:
        """Where something stands."""
        if isinstance(node, c_ast.ID):
            kind = self.variant.variables[node.name]
            return Place(node.name, kind, node.name if node.name in self.variant.registers else "")
        if isinstance(node, c_ast.UnaryOp) and node.op == "*":
            return self._at(self.of(node.expr), E("0", INT))
        if isinstance(node, c_ast.ArrayRef):
            base = node.name
            index = as_whole(self.of(node.subscript))
            return self._at(self.of(base), index)
        if isinstance(node, c_ast.StructRef):
            return self._member(node)
        if isinstance(node, c_ast.FuncCall):
            value = self.of(node)
            return Place(value.text, value.type)
        raise NotLaned(f"a place of {type(node).__name__}")

    def _at(self, base: E, index: E) -> Place:
        if base.type.kind != "p" or base.type.of is None:
            raise NotLaned("an index into no array")
        of = base.type.of
        if not base.lane and not index.lane:
            constant = index.text.isdecimal()
            if not constant or base.array != base.text:
                self._follow(base.text, int(index.text) if constant else None)
            return Place(f"{base.text}[{index.text}]", of)
        self.variant.needs_mask = True
        self.cost += 8
        if base.lane or index.lane:
            size = f"kl_i(sizeof({of.text()}))"
            address = f"({to_lane(base)} + {to_lane(index)} * {size})" if index.text != "0" else to_lane(base)
            return Place(address, of, scattered=True)
        raise AssertionError

    def _follow(self, pointer: str, index: int | None) -> None:
        """What stands at an address of all is taken, whether anyone is meant or not. index: None if unknown."""
        if index is None or not self.variant.followed.has(pointer, index):
            self.risky = True
        if index is not None and not self.asks:
            self.variant.followed.note(pointer, index)

    def _member(self, node: c_ast.StructRef) -> Place:
        if node.type == "->":
            base = self.of(node.name)
            if base.type.kind != "p" or base.type.of is None or base.type.of.kind != "s":
                raise NotLaned("a member of no struct")
            struct, scattered = base.type.of.name, base.lane
            if not scattered and not base.text.startswith("(&"):
                self._follow(base.text, 0)
            text = f"{base.text}->{node.field.name}"
        else:
            place = self.place(node.name)
            struct, scattered = place.type.name, place.scattered
            text = f"{place.text}.{node.field.name}"
            base = E(place.text, pointer(place.type, lane=scattered))
        kind = self.variant.module.member(struct, node.field.name)
        if not scattered:
            return Place(text, kind)
        self.variant.needs_mask = True
        return Place(f"({base.text} + kl_i(offsetof(L_{struct}, {node.field.name})))", kind, scattered=True)

    def _load(self, node: Any) -> E:
        place = self.place(node)
        kind = place.type
        if kind.kind == "a":
            assert kind.of
            return E(place.text, pointer(kind.of, lane=place.scattered), array=place.text)
        if not place.scattered:
            if place.name and self.variant.is_truth(place.name):
                return E(place.text, MASK, truth=True)
            return E(place.text, kind, truth=bool(place.name) and place.name in self.variant.truths)
        return E(self.loaded(place), kind if kind.kind == "s" else kind.laned())

    def loaded(self, place: Place) -> str:
        """What stands at an address per member."""
        mask, kind = self.variant.mask_text(), place.type
        self.cost += 8
        if kind.kind == "s":
            return f"kl_take_{self.variant.module.struct(kind.name)}({mask}, {place.text})"
        if kind.kind == "d":
            return f"kl_load_{'d' if kind.lane else 'one_d'}({mask}, {place.text})"
        if kind.kind == "i":
            short = {"int": "int", "unsigned int": "uint"}.get(kind.name, "long")
            return f"kl_load_{'i' if kind.lane else f'one_{short}'}({mask}, {place.text})"
        if kind.kind == "p":
            return f"kl_load_{'i' if kind.lane else 'p'}({mask}, {place.text})"
        raise NotLaned(f"a {kind.kind} at an address per member")

    # ---- operators

    def _binary(self, node: c_ast.BinaryOp) -> E:
        a, b, op = self.of(node.left), self.of(node.right), node.op
        if op in ("&&", "||"):
            raise NotLaned(f"the operator {op}")
        if a.type.kind in "pa" or b.type.kind in "pa":
            return self._of_pointers(a, b, op)
        lane = a.lane or b.lane
        if op in ("&", "|", "^") and "m" in (a.type.kind, b.type.kind) and a.truth and b.truth:
            return E(f"({as_mask(a)} {op} {as_mask(b)})", MASK, truth=True)
        a, b = self._compared_with_truth(a, b, op)
        if a.type.kind == "m" and op in ("==", "!=") and not b.lane and b.text == "0":
            return E(a.text if op == "!=" else f"(~{a.text})", MASK, truth=True)
        a, b = as_whole(a), as_whole(b)
        if "d" in (a.type.kind, b.type.kind):
            a, b = as_double(a), as_double(b)
            if not lane:
                return E(f"({a.text} {op} {b.text})", INT if op in _COMPARISONS else D, truth=op in _COMPARISONS)
            text = f"({to_lane(a)} {op} {to_lane(b)})"
            if op in _COMPARISONS:
                return E(f"((VI){text})", MASK, truth=True)
            self.cost += 8 if op == "/" else 0
            return E(text, D.laned())
        name = usual(a.type, b.type)
        if not lane:
            if op in "/%" and not isinstance(node.right, c_ast.Constant):
                self.risky = True
            return E(f"({a.text} {op} {b.text})", INT if op in _COMPARISONS else whole(name), truth=op in _COMPARISONS)
        return self._of_lanes(a, b, op, name)

    @staticmethod
    def _compared_with_truth(a: E, b: E, op: str) -> tuple[E, E]:
        return (b, a) if op in ("==", "!=") and a.text == "0" and not a.lane else (a, b)

    def _of_lanes(self, a: E, b: E, op: str, name: str) -> E:
        unsigned = name in _UNSIGNED
        if unsigned and (op in _COMPARISONS or op in "/%|^"):
            a, b = as_named(a, name), as_named(b, name)
        left, right = to_lane(a), to_lane(b)
        if op in _COMPARISONS:
            compare = _COMPARISONS[op]
            if name == "unsigned long long" and compare not in ("eq", "ne"):
                compare = f"u{compare}"
            return E(f"kl_{compare}({left}, {right})", MASK, truth=True)
        if op in "/%":
            self.variant.needs_mask = True
            self.cost += 20
            function = f"kl_{'u' if unsigned else ''}{'div' if op == '/' else 'rem'}"
            return E(f"{function}({self.variant.mask_text()}, {left}, {right})", whole(name).laned())
        if op in ("<<", ">>"):
            name = a.type.name
            if op == ">>" and name not in _UNSIGNED:
                return E(f"({left} >> {right})", whole(name).laned())
            return E(wrapped(f"((VI)((VU){left} {op} (VU){right}))", name), whole(name).laned())
        if op in ("&", "|", "^"):
            return E(f"({left} {op} {right})", whole(name).laned())
        if op in ("+", "-", "*"):
            text = f"((VI)((VU){left} {op} (VU){right}))" if unsigned else f"({left} {op} {right})"
            return E(wrapped(text, name), whole(name).laned())
        raise NotLaned(f"the operator {op} of whole numbers")

    def _of_pointers(self, a: E, b: E, op: str) -> E:
        if op in _COMPARISONS:
            if not a.lane and not b.lane:
                left, right = (f"((void *){e.text})" for e in (a, b))
                return E(f"({left} {op} {right})", INT, truth=True)
            left, right = (to_lane(as_whole(e)) for e in (a, b))
            return E(f"kl_{_COMPARISONS[op]}({left}, {right})", MASK, truth=True)
        if b.type.kind == "p" and a.type.kind == "p":
            if a.lane or b.lane:
                raise NotLaned("a difference of addresses per member")
            return E(f"({a.text} {op} {b.text})", whole("long long"))
        if b.type.kind == "p":
            a, b = b, a
        b = as_whole(b)
        if not a.lane and not b.lane:
            return E(f"({a.text} {op} {b.text})", a.type, array=a.array)
        assert a.type.of
        return E(f"({to_lane(a)} {op} {to_lane(b)} * kl_i(sizeof({a.type.of.text()})))", a.type.laned())

    def _unary(self, node: c_ast.UnaryOp) -> E:
        if node.op == "&":
            return self._address(node.expr)
        if node.op == "*":
            return self._load(node)
        if node.op == "sizeof":
            named = isinstance(node.expr, c_ast.Typename)
            module = self.variant.module
            kind = module.in_memory(self.program.type_of(node.expr)) if named else self._sized(node.expr)
            return E(f"sizeof({kind.text()})", whole("size_t"))
        e = self.of(node.expr)
        if node.op == "!":
            if not e.lane:
                return E(f"(!{e.text})", INT, truth=True)
            return E(f"(~{as_mask(e)})", MASK, truth=True)
        e = as_whole(e)
        if node.op in ("-", "~", "+"):
            text = f"({node.op}{e.text})"
            return E(wrapped(text, e.type.name) if e.lane and e.type.kind == "i" else text, e.type)
        raise NotLaned(f"the operator {node.op}")

    def _sized(self, node: Any) -> T:
        return self.place(node).type

    def _address(self, node: Any) -> E:
        if isinstance(node, c_ast.ID) and node.name not in self.variant.variables:
            raise NotLaned(f"the address of {node.name}")
        asked, self.asks = self.asks, True
        place = self.place(node)
        self.asks = asked
        text = place.text if place.scattered else f"(&{place.text})"
        return E(text, pointer(place.type, lane=place.scattered))

    def _cast(self, node: c_ast.Cast) -> E:
        kind = self.program.type_of(node.to_type)
        if kind.kind == "v":
            return replace(self.of(node.expr), type=VOID)
        e = self.of(node.expr)
        if kind.kind == "d":
            e = as_double(e)
            if kind.name != "float":
                return e
            return E(f"kl_float({e.text})" if e.lane else f"((double)(float){e.text})", e.type)
        if kind.kind == "p":
            return self._cast_pointer(kind, e)
        if kind.kind != "i":
            raise NotLaned(f"a cast to {kind.text()}")
        if e.lane and e.type.kind == "d":
            if kind.name == "unsigned int":
                return E(f"kl_as_uint(kl_long({e.text}))", whole(kind.name).laned())
            by = {"int": "int", "unsigned long long": "ulong"}.get(kind.name, "long")
            return E(f"kl_{by}({e.text})", whole(kind.name).laned())
        return as_named(e, kind.name)

    def _cast_pointer(self, kind: T, e: E) -> E:
        assert kind.of
        if e.type.kind not in "pi":
            raise NotLaned("a cast to a pointer")
        of = self.variant.module.default(kind).of
        assert of
        if e.type.of is not None and e.type.of.kind == kind.of.kind and e.type.of.kind in "di":
            of = e.type.of
        if e.lane:
            return E(e.text, pointer(of, lane=True))
        return E(f"(({pointer(of).text()}){e.text})", pointer(of))

    # ---- calls

    def _call(self, node: c_ast.FuncCall) -> E:
        if not isinstance(node.name, c_ast.ID):
            raise NotLaned("a call by a pointer to a function")
        name = node.name.name
        arguments = [self.of(item) for item in (node.args.exprs if node.args else [])]
        self.cost += 20
        if name in ("memcpy", "memset"):
            return self._memory(name, arguments)
        known = self._primitive(name, arguments)
        return known if known is not None else self.variant.call(name, arguments)

    def _primitive(self, name: str, arguments: list[E]) -> E | None:
        first = arguments[0] if arguments else E("0", INT)
        lane = any(e.lane for e in arguments)
        if name in _FLOATS:
            e = as_double(first)
            return E(f"{_FLOATS[name]}({e.text})" if lane else f"{name}({e.text})", e.type)
        if name in ("isfinite", "isnan"):
            if lane:
                return E(f"kl_{name}({first.text})", MASK, truth=True)
            return E(f"({name}({first.text}) != 0)", INT, truth=True)
        if name == "copysign":
            if lane:
                return E(f"kl_copysign({', '.join(to_lane(as_double(e)) for e in arguments)})", D.laned())
            return E(f"copysign({', '.join(e.text for e in arguments)})", D)
        if name == "kb_bits_of":
            return E(f"((VI){first.text})" if lane else f"kb_bits_of({first.text})",
                     replace(whole("unsigned long long"), lane=lane))  # fmt: skip
        if name == "kb_from_bits":
            return E(f"((VD){first.text})" if lane else f"kb_from_bits({first.text})", replace(D, lane=lane))
        if name == "kb_choice" and lane:
            a, b = (to_lane(as_double(e)) for e in arguments[1:])
            return E(f"kl_choice({as_mask(first)}, {a}, {b})", D.laned())
        if name == "kb_digits_of_two_over_pi" and lane:
            return E(f"kl_digits_of_two_over_pi({to_lane(as_whole(first))})", whole("unsigned long long").laned())
        if name == "kb_keep":
            if lane:
                raise NotLaned("a table at an address per member")
            return E(f"kb_keep({first.text})", pointer(D))
        return None

    def _memory(self, name: str, arguments: list[E]) -> E:
        to, source, size = arguments
        if size.lane:
            raise NotLaned(f"{name} of a count per member")
        if to.lane or (name == "memcpy" and source.lane):
            raise NotLaned(f"{name} at an address per member")
        if name == "memset" and source.text not in ("0", "'\\0'"):
            raise NotLaned("memset to what is not 0")
        mask = self.variant.mask
        self.variant.needs_mask = True
        kinds = [e.type.of for e in (to, source) if e.type.kind == "p" and e.type.of is not None]
        if any(kind.kind == "p" for kind in kinds):
            raise NotLaned(f"{name} of pointers")
        if mask is not None and any(kind.kind == "s" for kind in kinds):
            raise NotLaned(f"{name} of a struct of some members only")
        if name == "memcpy" and [(kind.kind, kind.lane) for kind in kinds] == [("d", True), ("i", False)]:
            if "sizeof(VD)" not in size.text:
                raise NotLaned("memcpy of doubles among whole numbers, not counted as doubles")
            return E(f"kl_spread({mask or 'KL_ALL'}, {to.text}, {source.text}, {size.text})", VOID)
        for e in (to, source):
            if e.type.of is not None and e.type.of.kind == "i" and not e.type.of.lane:
                self.variant.hold_lanes(e.array)
            if e.type.of is not None and e.type.of.kind == "d" and not e.type.of.lane:
                raise NotLaned(f"{name} of numbers that all have in common")
        if mask is None:
            return E(f"{name}({to.text}, {source.text}, {size.text})", VOID)
        if name == "memcpy":
            return E(f"kl_copy({mask}, {to.text}, {source.text}, {size.text})", VOID)
        return E(f"kl_clear({mask}, {to.text}, {size.text})", VOID)
