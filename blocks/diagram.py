"""Diagram, as everybody imports it: what `blocks.model.diagram` says, with what changes, plans and draws one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from blocks.block import Block
from blocks.errors import KeelblocksError, raise_all
from blocks.model import diagram as model
from blocks.model.component import Component
from blocks.model.nesting import copy_into, nest_into, unnest
from blocks.model.replacement import replace_component

if TYPE_CHECKING:
    from blocks.plan import Plan

C = TypeVar("C", bound=Component)


class Diagram(model.Diagram):
    """Blocks and diagrams connected by wires.

    A diagram is a component itself: with `inputs` and `outputs` declared it can be added to another one.
    """

    def replace(self, path: str | Component, component: C) -> C:
        """Put another component in the place of one, keeping its wires: this is how fidelity is swapped.

        path: its dotted name, "plant.vessel", or the component itself. Nothing changes if the new component lacks a
        port that is wired or if a signal type does not fit.
        """
        return replace_component(self, path, component)

    def nest(self, name: str, *members: str, title: str = "") -> Diagram:
        """Gather components into a new sub-diagram; wires across its border become its inputs and outputs."""
        return nest_into(Diagram(name, title=title), self, members)

    def unnest(self, name: str) -> None:
        """Put what a sub-diagram holds in its place; wires by its inputs and outputs lead straight on."""
        unnest(self, name)

    def copy(self) -> Diagram:
        """The same diagram with copies of all components, part of no other diagram."""
        return copy_into(Diagram(self.own_name, title=self.title, doc=self.doc), self)

    def blocks(self) -> dict[str, Block]:
        """Every block in this diagram and below, by its dotted name seen from here."""
        return cast(dict[str, Block], super().blocks())

    def plan(self, **settings: Any) -> Plan:
        """The plan of this diagram. Raises WiringError for anything that keeps it from running."""
        from blocks.plan import make_plan

        return make_plan(self, **settings)

    def check(self) -> None:
        """Raise WiringError or ParameterError, with all `problems`, if this diagram could not be run as it is."""
        from blocks.plan.faults import find_faults

        try:
            self.plan()
        except KeelblocksError as fault:
            faults = find_faults(self) or [fault]
        else:
            return
        raise_all(faults)

    def draw(self, *, depth: int | None = None) -> str:
        """The diagram as an SVG drawing; `depth` limits how many levels of nested diagrams are opened."""
        from blocks.drawing import draw

        return draw(self, depth=depth)

    def _repr_svg_(self) -> str:
        return self.draw()

    def _repr_html_(self) -> str:
        return f"<div style='overflow:auto'>{self.draw()}</div>"
