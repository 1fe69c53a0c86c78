"""Sorting one layer by its neighbour: every item goes to the mean height of what it is wired to.

Source: Sugiyama, Tagawa & Toda (1981), Methods for visual understanding of hierarchical system structures, IEEE Trans.
SMC 11(2).
"""

from __future__ import annotations

from .crossings import rank
from .layers import Item, LinkKind, Pin

__all__ = ["sort_by_barycentre", "sort_ports"]


def sort_by_barycentre(layer: list[Item], forward: bool) -> None:
    """Sort by the mean rank of what the items are wired to; items without a wire on that side keep their place."""
    wanted: dict[Item, float] = {}
    for item in layer:
        ranks = [rank for pin in (item.west if forward else item.east) for rank in _far_ranks(pin)]
        if ranks:
            wanted[item] = sum(ranks) / len(ranks)
    movable = iter(sorted((item for item in layer if item in wanted), key=wanted.__getitem__))
    layer[:] = [next(movable) if item in wanted else item for item in layer]
    rank(layer)


def _far_ranks(pin: Pin) -> list[float]:
    """The ranks of what the pin is wired to across the channel."""
    return [
        (link.left if link.right is pin else link.right).rank for link in pin.links if link.kind is LinkKind.THROUGH
    ]


def sort_ports(layer: list[Item], forward: bool) -> None:
    """Sort the ports of every box likewise.

    A wire that turns counts as one to beyond the far layer, on the side to which it turns. Of several that turn to one
    side, the outermost port has the innermost wire.
    """
    pins = [pin for item in layer for pin in (item.west if forward else item.east)]
    beyond = 1 + max((rank for pin in pins for rank in _far_ranks(pin)), default=0)
    for item in layer:
        side = item.west if forward else item.east
        if item.rigid or len(side) < 2:
            continue
        wanted: dict[Pin, float] = {}
        for pin in side:
            ranks = _far_ranks(pin)
            for turn in (
                link.b if link.a is pin else link.a for link in pin.links if link.kind is not LinkKind.THROUGH
            ):
                ranks.append(-1 - turn.rank if turn.rank < pin.rank else beyond + len(pins) - turn.rank)
            if ranks:
                wanted[pin] = sum(ranks) / len(ranks)
        movable = iter(sorted((pin for pin in side if pin in wanted), key=wanted.__getitem__))
        side[:] = [next(movable) if pin in wanted else pin for pin in side]
    rank(layer)
