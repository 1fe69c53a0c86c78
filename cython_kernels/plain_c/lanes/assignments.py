"""Assignments for several members: of all, or only of those that are meant where others still need what was there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cython_kernels.plain_c.lanes.addresses import type_of
from cython_kernels.plain_c.lanes.calls import Calls
from cython_kernels.plain_c.lanes.expressions import Expressions
from cython_kernels.plain_c.lanes.statements import Set
from cython_kernels.plain_c.lanes.types import NotLaned
from cython_kernels.plain_c.lanes.values import E, Place, as_kind, as_mask, to_lane


class Assignments(Calls):
    """Writes assignments."""

    def set(self, statement: Set) -> None:
        """One assignment, or a value alone for what it does."""
        writer = Expressions(self)
        e = writer.of(statement.value)
        if statement.to is None:
            self.line(f"{e.text};")
            self.followed.forget_what_changes([statement], self.source.types, self.module.program)
            return
        place = writer.place(statement.to)
        self.followed.forget_what_changes([statement], self.source.types, self.module.program)
        if place.name:
            self._set_register(place.name, e)
        elif place.scattered:
            self._scatter(place, e, statement.to)
        else:
            self._store(place, e, statement.to)

    def _set_register(self, name: str, e: E) -> None:
        kind = self.variables[name]
        keeps = self.mask is not None and any(name in live for live in self.resumed)
        if name in self.truths and not e.truth:
            self.truths.discard(name)
        if kind.kind == "p":
            self._set_pointer(name, e, keeps)
            return
        if (e.lane or keeps) and not kind.lane:
            self.variables[name] = kind = kind.laned()
        if not kind.lane:
            self.line(f"{name} = {as_kind(kind, e).text};")
            return
        if self.is_truth(name):
            value = as_mask(e)
            self.line(f"{name} = {f'kl_sel({self.mask}, {value}, {name})' if keeps else value};")
            return
        value = to_lane(as_kind(kind, e))
        select = "kl_seld" if kind.kind == "d" else "kl_sel"
        self.line(f"{name} = {f'{select}({self.mask}, {value}, {name})' if keeps else value};")

    def _set_pointer(self, name: str, e: E, keeps: bool) -> None:
        kind = self.variables[name]
        if e.type.kind == "p" and e.type.of is not None and kind.of is not None and e.type.of != kind.of:
            of = e.type.of
            if of.kind == kind.of.kind and of.kind in "di" and kind.of.lane != of.lane:
                if name in self.fixed_pointers and not of.lane:
                    raise NotLaned(f"a pointer to numbers of one and of all members, {name}")
                self.variables[name] = kind = replace(kind, of=of)
        if e.text != "((void *)0)":
            self.fixed_pointers.add(name)
        if (e.lane or keeps) and not kind.lane:
            self.variables[name] = kind = kind.laned()
        if not kind.lane:
            self.line(f"{name} = {e.text};")
            return
        value = to_lane(e)
        self.line(f"{name} = {f'kl_sel({self.mask}, {value}, {name})' if keeps else value};")

    def _store(self, place: Place, e: E, node: Any) -> None:
        kind = place.type
        needed = self._is_needed(node)
        keeps = self.mask is not None and needed
        self.writes = self.writes or needed
        if kind.kind == "s":
            if not keeps:
                self.line(f"{place.text} = {e.text};")
            else:
                self.line(
                    f"{place.text} = kl_sel_{self.module.struct(kind.name)}({self.mask}, {e.text}, {place.text});"
                )
            return
        if not kind.lane and (e.lane or keeps):
            self._make_lane(node)
            kind = kind.laned()
        if not kind.lane:
            self.line(f"{place.text} = {e.text if kind.kind == 'p' else as_kind(kind, e).text};")
            return
        value = to_lane(e if kind.kind == "p" else as_kind(kind, e))
        select = "kl_seld" if kind.kind == "d" else "kl_sel"
        self.line(f"{place.text} = {f'{select}({self.mask}, {value}, {place.text})' if keeps else value};")

    def _make_lane(self, node: Any) -> None:
        """Let a local array of whole numbers, or a member of a struct, be one per member from now on."""
        while isinstance(node, c_ast.ArrayRef):
            node = node.name
        if isinstance(node, c_ast.ID) and self.variables[node.name].kind == "a":
            self.hold_lanes(node.name)
            return
        if not isinstance(node, c_ast.StructRef):
            raise NotLaned("a number per member where one for all stands")
        struct = type_of(node.name, self.source.types, self.module.program)
        struct = struct.of if struct is not None and node.type == "->" else struct
        assert struct
        self.module.add_lane(struct.name, node.field.name)

    def _is_needed(self, node: Any) -> bool:
        """Whether members that are not meant may read what stands here, or others may."""
        while isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.StructRef) and node.type == "."):
            node = node.name
        own = isinstance(node, c_ast.ID) and node.name in self.source.types and self.variables[node.name].kind in "sadi"
        return not own or any(node.name in live for live in self.resumed)

    def _scatter(self, place: Place, e: E, node: Any) -> None:
        kind = place.type
        self.needs_mask = True
        if kind.kind == "s":
            self.line(f"kl_give_{self.module.struct(kind.name)}({self.mask_text()}, {place.text}, {e.text});")
            return
        if not kind.lane:
            self._make_lane(node)
            return
        letter = "d" if kind.kind == "d" else "i"
        self.line(f"kl_put_{letter}({self.mask_text()}, {place.text}, {to_lane(as_kind(kind, e))});")
