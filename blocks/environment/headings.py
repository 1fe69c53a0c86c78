"""Tables over directions seen from the bow: half a turn of a hull whose sides are alike, or a turn that closes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.basic.common import check_increasing
from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.improbable import doubtful
from blocks.problems import Problem

DEGREE = np.pi / 180.0
CLOSE = 1e-6
"""Of headings, rad: what a table in degrees with seven digits still meets."""

UNWRAPPED = 4.0 * np.pi
"""Phases beyond it, rad, are unwrapped, or degrees whose unit was forgotten."""

DOFS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
LATERAL = (1, 3, 5)
"""What reverses in the mirror image of a hull whose sides are alike: sway, roll and yaw."""


def covers_half(headings: ArrayLike) -> bool:
    """Whether headings go from 0 to π, so that the hull's sides are alike."""
    ends = np.asarray(headings, dtype=np.float64)[[0, -1]]
    return bool(np.all(np.abs(ends - [0.0, np.pi]) < CLOSE))


def closes_itself(headings: ArrayLike) -> bool:
    """Whether the last heading is the first one, a turn later."""
    ends = np.asarray(headings, dtype=np.float64)[[0, -1]]
    return bool(abs(ends[1] - ends[0] - 2.0 * np.pi) < CLOSE)


def check_headings(block: Block, name: str) -> None:
    """Raise ParameterError unless headings cover half a turn, or the turn with a gap no wider than the others."""
    headings = np.asarray(block.values[name], dtype=np.float64)
    if covers_half(headings):
        return
    degrees = headings / DEGREE
    gap = 2.0 * np.pi - (headings[-1] - headings[0])
    if gap < -CLOSE:
        raise ParameterError(
            f"{block._called()}.{name} must stay within one turn, not go from {degrees[0]:g} to {degrees[-1]:g} "
            f"deg; plain numbers are in radians, degrees are given as '90 deg'"
        )
    widest = float(np.max(np.diff(headings)))
    if gap > 1.5 * widest:
        raise ParameterError(
            f"{block._called()}.{name} do not close: between {degrees[-1]:g} and {degrees[0] + 360.0:g} deg is a "
            f"gap of {gap / DEGREE:g} deg, and elsewhere at most {widest / DEGREE:g} deg; give a whole turn, or "
            f"0 to 180 deg for a hull whose sides are alike"
        )
    if max(widest, gap) > np.pi - CLOSE:
        raise ParameterError(
            f"{block._called()}.{name} leave a gap of {max(widest, gap) / DEGREE:g} deg, across which nothing "
            f"can be said; gaps must be narrower than half a turn"
        )


def check_central(block: Block, name: str, table: NDArray[np.float64], dofs: tuple[str, ...], what: str) -> None:
    """Raise ParameterError where a table of half a turn, `dofs`×m×k, says that waves from the middle push aside."""
    headings = np.asarray(block.values["headings"], dtype=np.float64)
    sizes = np.max(np.abs(table), axis=1)
    for d in [k for k, dof in enumerate(dofs) if DOFS.index(dof) in LATERAL]:
        for column in (0, -1):
            if sizes[d, column] > max(0.01 * np.max(sizes[d]), 1e-5 * np.max(sizes)):
                raise ParameterError(
                    f"{block._called()}.{name}[{d}], of {dofs[d]}, is {sizes[d, column]:g} at a heading of "
                    f"{headings[column] / DEGREE:g} deg, where waves {what} a hull whose sides are alike "
                    f"to neither side; check the order of the table, or give headings all around"
                )


def check_ends(block: Block, name: str, table: NDArray[np.complex128] | NDArray[np.float64]) -> None:
    """Raise ParameterError where a table, 6×m×k, says something else at the first heading than a turn later."""
    headings = np.asarray(block.values["headings"], dtype=np.float64)
    apart = np.abs(table[:, :, 0] - table[:, :, -1]) > 1e-3 * np.max(np.abs(table), axis=(1, 2))[:, None]
    if np.any(apart):
        d, i = (int(k) for k in np.argwhere(apart)[0])
        raise ParameterError(
            f"{block._called()}.headings do not close: {headings[0] / DEGREE:g} and "
            f"{headings[-1] / DEGREE:g} deg are the same heading, but {name} [{d}, {i}] differ"
        )


def check_transfer(block: Block, what: str) -> None:
    """Raise ParameterError unless `amplitude` and `phase` are a table over `frequencies` and `headings` that close.

    what: the response does to the hull, "push" or "move", in the messages.
    """
    check_increasing(block, "frequencies", at_least=2)
    check_increasing(block, "headings", at_least=2)
    amplitude = np.asarray(block.values["amplitude"], dtype=np.float64)
    if amplitude.ndim != 3:
        raise ParameterError(
            f"{block._called()}.amplitude must be an array of 6×m×k, not the single number {amplitude:g}"
        )
    check_headings(block, "headings")
    if covers_half(block.values["headings"]):
        check_central(block, "amplitude", amplitude, DOFS, what)
    elif closes_itself(block.values["headings"]):
        check_ends(block, "amplitude and phase", amplitude * np.exp(1j * np.asarray(block.values["phase"])))


def phases_in_degrees(block: Block) -> Iterator[Problem]:
    """A warning where `phase` goes so far that degrees may be meant."""
    most = float(np.max(np.abs(np.asarray(block.values["phase"], dtype=np.float64))))
    if most > UNWRAPPED:
        yield doubtful(
            block,
            "phase",
            f" goes to {most:.6g} rad, {most / (2.0 * np.pi):.1f} turns",
            "if degrees are meant, say so: '90 deg' in a scenario, np.radians(…) in Python",
        )
