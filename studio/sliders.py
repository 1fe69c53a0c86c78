"""The sliders of a page of many runs: what is asked for, or the numbers in which its members differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from studio.cases import Array, Cases, Placed
from studio.vary import MOST_SLIDERS, Vary, sliders_of


def sliders_of_members(cases: Cases, vary: Iterable[str | Vary]) -> list[dict[str, Any]]:
    """Sliders of the first model. Raises ShareError for what is asked for and is not there."""
    subject, parameters = cases.subjects[0], cases.models[0]["parameters"]
    asked = list(vary)
    usual = sliders_of(subject, parameters, asked)
    if asked:
        return usual
    own = list(_differing(cases))[:MOST_SLIDERS]
    taken = {one["parameter"] for one in own}
    return [*own, *(one for one in usual if one["parameter"] not in taken)][:MOST_SLIDERS]


def _differing(cases: Cases) -> Iterator[dict[str, Any]]:
    """Numbers in which the members of the first model differ, and the ends of what they are there."""
    values = np.concatenate([_values(placed) for placed in cases if placed.model == 0])
    for number, one in enumerate(cases.models[0]["parameters"]):
        own = values[:, one["first"]]
        name = one["path"].rpartition(".")[2]
        if one["count"] != 1 or one["kind"] in ("choice", "switch") or name == "seed" or np.all(own == own[0]):
            continue
        yield {"parameter": number, "element": 0, "among": [float(own.min()), float(own.max())]}


def _values(placed: Placed) -> Array:
    """A row of all inputs and parameters for each member."""
    values: Array = np.tile(placed.own, (len(placed.members), 1))
    values[:, placed.places] = placed.matrix
    return values
