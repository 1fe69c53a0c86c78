"""Structs for several members: which of what they hold is one per member."""

from __future__ import annotations

from dataclasses import replace

from cython_kernels.plain_c.lanes.control import CONTROL, ONE_FOR_ALL
from cython_kernels.plain_c.lanes.reading import Program
from cython_kernels.plain_c.lanes.types import NotLaned, T, pointer


class Again(Exception):
    """More is one per member than was thought: all is written once more."""


class Structs:
    """What types are for several members: doubles one per member, whole numbers and pointers once they have to be."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.declared = {name: dict(members) for name, members in program.structs.items()}
        self.lane_members: set[tuple[str, str]] = set()
        self.whole_structs: set[str] = set()

    def _note(self, struct: str, member: str) -> None:
        """A member is looked up."""

    def _forget(self, member: tuple[str, str]) -> None:
        """A member is another one than was thought."""

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
        self._note(struct, name)
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

    def add_lane(self, struct: str, member: str) -> None:
        """Let a member of a struct be one per member of the ensemble from now on."""
        if struct in CONTROL:
            raise NotLaned(f"{struct}.{member} per member")
        if (struct, member) in self.lane_members:
            raise NotLaned(f"{struct}.{member}, which is a number per member already")
        self.lane_members.add((struct, member))
        self._forget((struct, member))
        raise Again(f"{struct}.{member}")

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
