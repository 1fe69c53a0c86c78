"""All functions for several members that some roots need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cython_kernels.plain_c.lanes.control import AS_EVER
from cython_kernels.plain_c.lanes.emission import Functions
from cython_kernels.plain_c.lanes.function import Variant
from cython_kernels.plain_c.lanes.reading import Program
from cython_kernels.plain_c.lanes.source import Source
from cython_kernels.plain_c.lanes.types import NotLaned, T, pointer


class Module(Functions):
    """Variants of functions, by name, kinds of arguments and whether some members only are meant."""

    def __init__(self, program: Program, attributes: Mapping[str, str] | None = None) -> None:
        super().__init__(program)
        self.attributes = dict(attributes or {})
        self.sources: dict[str, Source] = {}
        self.variants: dict[str, Variant | NotLaned] = {}
        self.in_work: list[str] = []
        self.looked_up: dict[str, set[tuple[str, str]]] = {}

    def _note(self, struct: str, member: str) -> None:
        if self.in_work:
            self.looked_up[self.in_work[-1]].add((struct, member))

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

    def source(self, name: str) -> Source:
        """A function, made ready."""
        if name not in self.sources:
            if name not in self.program.functions:
                raise NotLaned(f"the function {name}, which is not there")
            try:
                self.sources[name] = Source(self.program, self.program.functions[name])
            except NotLaned as problem:
                raise _of(name, problem) from None
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
                known = _of(name, problem)
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

    def called(self, name: str, arguments: list[T], mask: str | None, seen: bool) -> Variant | str:
        """A variant, or the function of one member where all is one for all."""
        source = self.source(name)
        plain = all(kind.is_number and not kind.lane for kind in arguments)
        if name in AS_EVER or (plain and source.function.returns.kind in "di"):
            return name
        found = self.variant(name, arguments, False)
        matters = found.needs_mask or (found.writes and (seen or found.branches))
        return self.variant(name, arguments, True) if mask is not None and matters else found

    def functions(self) -> str:
        """All variants, each ahead of those that call it."""
        there = {name: variant for name, variant in self.variants.items() if isinstance(variant, Variant)}
        return "\n".join(variant.text for variant in there.values())


def _of(name: str, problem: NotLaned) -> NotLaned:
    """The same, with the name of the function that it is in, the innermost one."""
    return problem if ": " in str(problem) else NotLaned(f"{name}: {problem}")


def _letter(kind: T) -> str:
    if kind.is_number:
        return "v" if kind.lane else "u"
    if kind.kind == "p":
        assert kind.of
        one = kind.of.kind in "di" and not kind.of.lane
        return ("b" if one else "a") if kind.lane else ("q" if one else "p")
    return "s"
