"""The hull that an animation shows: a box with a pointed bow in another colour and a fin on its back."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from blocks import style

Array = NDArray[np.float64]

_STERN, _SHOULDER, _BOW, _BREADTH, _HEIGHT = -0.5, 0.12, 0.5, 0.22, 0.15
"""Of a hull of length one about its middle: where it begins, narrows and ends; half of its breadth and height."""
_LIGHT = np.array([-0.35, 0.45, -0.82])
"""Where the light comes from, north, east, down, of length one."""


def turned_hull(turn: Array) -> tuple[list[Array], Array]:
    """The faces of a hull of length one, turned by a matrix from body axes to NED, and their colours in the light."""
    bright = [0.72 + 0.28 * float(_LIGHT @ turn @ normal) for _, normal, _ in _HULL]
    colours = [b * np.array(to_rgb(colour)) for b, (_, _, colour) in zip(bright, _HULL, strict=True)]
    return [corners @ turn.T for corners, _, _ in _HULL], np.array(colours)


def _outline(down: float) -> dict[str, tuple[float, float, float]]:
    return {
        "stern port": (_STERN, -_BREADTH, down), "stern starboard": (_STERN, _BREADTH, down),
        "port": (_SHOULDER, -_BREADTH, down), "starboard": (_SHOULDER, _BREADTH, down), "bow": (_BOW, 0.0, down),
    }  # fmt: skip


def _hull() -> list[tuple[Array, Array, str]]:
    """Faces with their corners, outward normals and colours."""
    deck, keel = _outline(-_HEIGHT), _outline(_HEIGHT)
    plan = ("stern port", "stern starboard", "starboard", "port")
    found = [
        (np.array([level[c] for c in corners]), np.array([0.0, 0.0, down]), colour)
        for level, down in ((deck, -1.0), (keel, 1.0))
        for corners, colour in ((plan, style.ACTUAL), (("port", "starboard", "bow"), style.REFERENCE))
    ]
    slant = np.array([_BREADTH / (_BOW - _SHOULDER), 1.0, 0.0])
    slant /= np.linalg.norm(slant)
    for a, b, normal, colour in (
        ("stern port", "stern starboard", np.array([-1.0, 0.0, 0.0]), style.ACTUAL),
        ("stern starboard", "starboard", np.array([0.0, 1.0, 0.0]), style.ACTUAL),
        ("stern port", "port", np.array([0.0, -1.0, 0.0]), style.ACTUAL),
        ("starboard", "bow", slant, style.REFERENCE),
        ("port", "bow", slant * (1.0, -1.0, 1.0), style.REFERENCE),
    ):
        found.append((np.array([deck[a], deck[b], keel[b], keel[a]]), normal, colour))
    fin = np.array([[-0.46, 0.0, -_HEIGHT], [-0.12, 0.0, -_HEIGHT], [-0.3, 0.0, -0.36], [-0.46, 0.0, -0.36]])
    found.append((fin, np.array([0.0, 0.0, -1.0]), style.WAYPOINT))
    return found


_HULL = _hull()
