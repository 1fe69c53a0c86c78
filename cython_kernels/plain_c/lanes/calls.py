"""Calls of functions of the engine from a function for several members."""

from __future__ import annotations

from dataclasses import replace

from cython_kernels.plain_c.lanes.control import BY_HAND
from cython_kernels.plain_c.lanes.emission import Emission
from cython_kernels.plain_c.lanes.types import INT, NotLaned, T
from cython_kernels.plain_c.lanes.values import E, as_kind, to_lane


class Calls(Emission):
    """Writes calls."""

    def call(self, name: str, arguments: list[E]) -> E:
        """A call of another function of the engine."""
        if name in BY_HAND:
            return E(f"kl_hand_{name}({', '.join(e.text for e in arguments)})", BY_HAND[name])
        try:
            found = self.module.called(name, [self._argument(e) for e in arguments], self.mask, self._seen(arguments))
        except NotLaned:
            arrays = {e.array for e in arguments if e.type.of is not None and not e.type.of.lane}
            arrays &= {n for n, kind in self.variables.items() if kind.of is not None and kind.of.kind == "i"}
            if not arrays:
                raise
            for array in arrays:  # what is called may write one per member
                self.hold_lanes(array)
            return E("0", replace(self.module.default(self.module.program.functions[name].returns), lane=False))
        if isinstance(found, str):
            function = self.module.program.functions[name]
            self.uses.add(name)
            return E(f"{found}({', '.join(e.text for e in arguments)})", self.module.default(function.returns))
        self.needs_mask = self.needs_mask or found.needs_mask
        self.writes = self.writes or (found.writes and not all(self._own(arguments)))
        self.branches = self.branches or found.branches
        self.uses.add(found.name)
        given = []
        for e, kind in zip(arguments, found.parameters, strict=True):
            if kind.is_number:
                e = as_kind(kind, e)
                given.append(to_lane(e) if kind.lane else e.text)
            elif kind.kind == "p":
                given.append(to_lane(e) if kind.lane and not e.lane else e.text)
            else:
                given.append(e.text)
        if found.masked:
            given.append(self.mask_text())
        return E(f"{found.name}({', '.join(given)})", found.returns, truth=found.returns.kind == "m")

    def _seen(self, arguments: list[E]) -> bool:
        """Whether members that are not meant may read what is stored where the arguments lead."""
        own = self._own(arguments)
        return not all(own) or any(name in live for live in self.resumed for name in own)

    def _own(self, arguments: list[E]) -> list[str]:
        """Of each pointer the local variable that it leads into; "" where others see what is stored."""
        return [
            e.own if e.type.of is not None and self._holds_numbers(e.type.of) else ""
            for e in arguments if e.type.kind == "p"
        ]  # fmt: skip

    def _holds_numbers(self, kind: T) -> bool:
        """Whether no pointer stands there, that leads elsewhere."""
        if kind.kind == "s":
            return all(self._holds_numbers(member) for _, member in self.module.program.structs.get(kind.name, ()))
        return kind.kind in "di" or (kind.kind == "a" and kind.of is not None and self._holds_numbers(kind.of))

    @staticmethod
    def _argument(e: E) -> T:
        return INT.laned() if e.type.kind == "m" else e.type
