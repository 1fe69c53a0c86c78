"""Expressions for several members: one number for all stays one, the rest becomes vectors, masks and addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cython_kernels.plain_c.lanes.addresses import base
from cython_kernels.plain_c.lanes.calls import Calls
from cython_kernels.plain_c.lanes.primitives import memory, primitive
from cython_kernels.plain_c.lanes.types import INT, MASK, RANKS, UNSIGNED, VOID, D, NotLaned, T, pointer, usual, whole
from cython_kernels.plain_c.lanes.values import E, Place, as_double, as_mask, as_named, as_whole, to_lane, wrapped

_COMPARISONS = {"<": "lt", ">": "gt", "<=": "le", ">=": "ge", "==": "eq", "!=": "ne"}


class Expressions:
    """Writes the expressions of a variant of a function."""

    def __init__(self, variant: Calls) -> None:
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
            if number < end and (name in UNSIGNED or "u" not in value) and ("l" not in value or "long" in name)
            and (name not in UNSIGNED or "u" in value or digits.startswith("0x"))
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
            return E(place.text, pointer(kind.of, lane=place.scattered), array=place.text, own=self._own(node))
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
        unsigned = name in UNSIGNED
        if unsigned and (op in _COMPARISONS or op in "/%|^"):
            a, b = as_named(a, name), as_named(b, name)
        left, right = to_lane(a), to_lane(b)
        if op in _COMPARISONS:
            compare = _COMPARISONS[op]
            if name == "unsigned long long" and compare not in ("eq", "ne"):
                compare = f"u{compare}"
            return E(f"kl_{compare}({left}, {right})", MASK, truth=True)
        if op in "/%" and name in ("int", "unsigned int"):
            self.cost += 10
            return E(f"kl_short_{'div' if op == '/' else 'rem'}({left}, {right})", whole(name).laned())
        if op in "/%":
            self.variant.needs_mask = True
            self.cost += 20
            function = f"kl_{'u' if unsigned else ''}{'div' if op == '/' else 'rem'}"
            return E(f"{function}({self.variant.mask_text()}, {left}, {right})", whole(name).laned())
        if op in ("<<", ">>"):
            name = a.type.name
            if op == ">>" and name not in UNSIGNED:
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
            return E(f"({a.text} {op} {b.text})", a.type, array=a.array, own=a.own)
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
        return E(text, pointer(place.type, lane=place.scattered), own=self._own(node))

    def _own(self, node: Any) -> str:
        """The local variable that a place is in."""
        name = base(node)
        kind = self.variant.variables.get(name)
        return name if kind is not None and kind.kind in "sadi" else ""

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
            return memory(self.variant, name, arguments)
        known = primitive(name, arguments)
        return known if known is not None else self.variant.call(name, arguments)
