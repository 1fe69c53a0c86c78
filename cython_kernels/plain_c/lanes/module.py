"""All functions for several members that some roots need, and what structs have one per member."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cython_kernels.plain_c.lanes.asked import Called, Within
from cython_kernels.plain_c.lanes.control import AS_EVER, CONTROL, ONE_FOR_ALL
from cython_kernels.plain_c.lanes.expressions import Expressions
from cython_kernels.plain_c.lanes.function import Source, Variant
from cython_kernels.plain_c.lanes.reading import Program
from cython_kernels.plain_c.lanes.types import NotLaned, T, pointer


class Again(Exception):
    """More is one per member than was thought: all is written once more."""


class Module:
    """Variants of functions, by name, kinds of arguments and whether some members only are meant."""

    def __init__(self, program: Program, attributes: Mapping[str, str] | None = None) -> None:
        self.program = program
        self.attributes = dict(attributes or {})
        self.declared = {name: dict(members) for name, members in program.structs.items()}
        self.lane_members: set[tuple[str, str]] = set()
        self.whole_structs: set[str] = set()
        self.sources: dict[str, Source] = {}
        self.variants: dict[str, Variant | NotLaned] = {}
        self.in_work: list[str] = []
        self.looked_up: dict[str, set[tuple[str, str]]] = {}

    # ---- types

    def default(self, kind: T) -> T:
        """What a type of one member is for several, as far as nothing else is known."""
        if kind.kind == "p":
            assert kind.of
            of = kind.of
            if of.kind in "di":
                return pointer(replace(of, lane=of.size != "const", size=""))
            return pointer(self.default(of))
        if kind.kind == "a":
            assert kind.of
            return replace(kind, of=self.in_memory(kind.of))
        return replace(kind, size="") if kind.kind == "i" else kind

    def in_memory(self, kind: T) -> T:
        """The same for what stands in memory."""
        if kind.kind in "di":
            return replace(kind, lane=True, size="")
        return self.default(kind)

    def member(self, struct: str, name: str) -> T:
        """The type of a member of a struct."""
        kind = self.declared[struct][name]
        if self.in_work:
            self.looked_up[self.in_work[-1]].add((struct, name))
        inner = kind.of if kind.kind == "a" else kind
        assert inner
        if inner.kind == "d":
            now = replace(inner, lane=struct not in CONTROL)
        elif inner.kind == "i":
            now = replace(inner, lane=(struct, name) in self.lane_members, size="")
        elif inner.kind == "p":
            now = self.default(inner)
            if (struct, name) in ONE_FOR_ALL:
                now = pointer(ONE_FOR_ALL[struct, name])
            now = replace(now, lane=(struct, name) in self.lane_members)
        else:
            now = inner
        return replace(kind, of=now) if kind.kind == "a" else now

    def make_lane(self, node: Any, variant: Within) -> None:
        """Let a member of a struct be one per member of the ensemble from now on."""
        while isinstance(node, c_ast.ArrayRef):
            node = node.name
        if not isinstance(node, c_ast.StructRef):
            raise NotLaned("a number per member where one for all stands")
        writer = Expressions(variant)
        base = writer.of(node.name).type.of if node.type == "->" else writer.place(node.name).type
        assert base
        self.add_lane(base.name, node.field.name)

    def add_lane(self, struct: str, member: str) -> None:
        """Let a member of a struct be one per member of the ensemble from now on."""
        if struct in CONTROL:
            raise NotLaned(f"{struct}.{member} per member")
        if (struct, member) in self.lane_members:
            raise NotLaned(f"{struct}.{member}, which is a number per member already")
        self.lane_members.add((struct, member))
        self._forget((struct, member))
        raise Again(f"{struct}.{member}")

    def _forget(self, member: tuple[str, str]) -> None:
        """Drop the variants that took it for one for all, and those that use them."""
        gone = {key for key, known in self.variants.items() if isinstance(known, NotLaned)}
        gone |= {key for key, found in self.looked_up.items() if member in found}
        while True:
            more = {
                key for key, known in self.variants.items()
                if isinstance(known, Variant) and key not in gone and known.uses & gone
            }  # fmt: skip
            if not more:
                break
            gone |= more
        for key in gone:
            self.variants.pop(key, None)

    def struct(self, name: str) -> str:
        """A struct that is read, written or chosen as a whole per member: all that it holds is."""
        for member, _ in self.program.structs[name]:
            kind = self.member(name, member)
            inner = kind.of if kind.kind == "a" else kind
            assert inner
            if inner.kind == "s":
                self.struct(inner.name)
            elif not inner.lane:
                self.add_lane(name, member)
        self.whole_structs.add(name)
        return name

    # ---- functions

    def source(self, name: str) -> Source:
        """A function, made ready."""
        if name not in self.sources:
            if name not in self.program.functions:
                raise NotLaned(f"the function {name}, which is not there")
            self.sources[name] = Source(self, self.program.functions[name])
        return self.sources[name]

    def variant(self, name: str, arguments: list[T], masked: bool) -> Variant:
        """A function for several members. Raises NotLaned if there can be none."""
        source = self.source(name)
        parameters = [
            self._parameter(kind, given) for (_, kind), given in zip(source.function.parameters, arguments, strict=True)
        ]
        key = f"{name}__{''.join(map(_letter, parameters))}{'m' if masked else ''}"
        known = self.variants.get(key)
        if known is None:
            if key in self.in_work:
                raise NotLaned(f"{name}, which calls itself")
            self.in_work.append(key)
            self.looked_up[key] = set()
            try:
                known = Variant(self, source, key, parameters, masked)
            except NotLaned as problem:
                known = NotLaned(f"{name}: {problem}" if ": " not in str(problem) else str(problem))
            finally:
                self.in_work.pop()
            self.variants[key] = known
        if isinstance(known, NotLaned):
            raise known
        return known

    def _parameter(self, declared: T, given: T) -> T:
        kind = self.default(declared)
        if kind.is_number:
            return replace(kind, lane=given.lane)
        if kind.kind == "p":
            of = kind.of
            assert of
            same = given.of is not None and given.of.kind == of.kind and of.kind in "di"
            return pointer(given.of if same and given.of else of, lane=given.lane)
        return kind

    def called(self, name: str, arguments: list[T], under_mask: bool) -> Called | str:
        """What is called for these arguments: a variant, or the function of one member where all is one for all."""
        source = self.source(name)
        plain = all(kind.is_number and not kind.lane for kind in arguments)
        if name in AS_EVER or (plain and source.function.returns.kind in "di"):
            return name
        found = self.variant(name, arguments, False)
        return self.variant(name, arguments, True) if under_mask and found.needs_mask else found

    # ---- text

    def structs(self) -> str:
        """All structs, then the functions for those that are taken as a whole."""
        names = [name for name in self.program.structs if self.program.structs[name]]
        parts = [f"typedef struct L_{name} L_{name};\n" for name in names]
        for name in names:
            members = "".join(f"    {self.member(name, m).text(m)};\n" for m, _ in self.program.structs[name])
            parts.append(f"struct L_{name} {{\n{members}}};\n")
        parts += [self._whole(name) for name in names if name in self.whole_structs]
        return "".join(parts)

    def _whole(self, name: str) -> str:
        take, give, select = [], [], []
        for member, _ in self.program.structs[name]:
            kind = self.member(name, member)
            inner = kind.of if kind.kind == "a" else kind
            assert inner
            index, loop, add = "", "", ""
            if kind.kind == "a":
                index, loop = "[i]", f"for (int i = 0; i < {kind.size}; i++) "
                add = f" + kl_i((long long)sizeof({inner.text()}) * i)"
            at = f"at + kl_i(offsetof(L_{name}, {member})){add}"
            end = f"_{inner.name}" if inner.kind == "s" else "_d" if inner.kind == "d" else "_i"
            load = f"kl_take{end}" if inner.kind == "s" else f"kl_load{end}"
            put = f"kl_give{end}" if inner.kind == "s" else f"kl_put{end}"
            choose = f"kl_sel{end}" if inner.kind == "s" else "kl_seld" if inner.kind == "d" else "kl_sel"
            take.append(f"    {loop}found.{member}{index} = {load}(m, {at});\n")
            give.append(f"    {loop}{put}(m, {at}, x.{member}{index});\n")
            select.append(f"    {loop}a.{member}{index} = {choose}(m, a.{member}{index}, b.{member}{index});\n")
        of = f"L_{name}"
        taken = f"    {of} found;\n{''.join(take)}    return found;\n"
        return (
            f"static inline {of} kl_take_{name}(VI m, VI at) {{\n{taken}}}\n"
            f"static inline void kl_give_{name}(VI m, VI at, {of} x) {{\n{''.join(give)}}}\n"
            f"static inline {of} kl_sel_{name}(VI m, {of} a, {of} b) {{\n{''.join(select)}    return a;\n}}\n"
        )

    def functions(self) -> str:
        """All variants, each ahead of those that call it."""
        there = {name: variant for name, variant in self.variants.items() if isinstance(variant, Variant)}
        return "\n".join(variant.text for variant in there.values())


def _letter(kind: T) -> str:
    if kind.is_number:
        return "v" if kind.lane else "u"
    if kind.kind == "p":
        assert kind.of
        one = kind.of.kind in "di" and not kind.of.lane
        return ("b" if one else "a") if kind.lane else ("q" if one else "p")
    return "s"
