"""The sliders of a page of many runs: what is asked for, or the numbers in which its members differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from blocks.plan import Plan
from studio.cases import Array, Cases, Placed
from studio.vary import MOST_SLIDERS, Vary, sliders_of, usual_range


def sliders_of_members(cases: Cases, vary: Iterable[str | Vary]) -> list[dict[str, Any]]:
    """Sliders of the first model. Raises ShareError for what is asked for and is not there."""
    subject, parameters = cases.subjects[0], cases.models[0]["parameters"]
    asked = list(vary)
    usual = sliders_of(subject, parameters, asked)
    if asked:
        return usual
    own = list(_differing(cases, subject.plan))[:MOST_SLIDERS]
    taken = {one["parameter"] for one in own}
    return [*own, *(one for one in usual if one["parameter"] not in taken)][:MOST_SLIDERS]


def _differing(cases: Cases, plan: Plan) -> Iterator[dict[str, Any]]:
    """Numbers in which the members of the first model differ, with ranges that have all of them."""
    values = np.concatenate([_values(placed) for placed in cases if placed.model == 0])
    places = {**plan.inputs, **plan.parameters}
    for number, one in enumerate(cases.models[0]["parameters"]):
        own = values[:, one["first"]]
        name = one["path"].rpartition(".")[2]
        if one["count"] != 1 or one["kind"] in ("choice", "switch") or name == "seed" or np.all(own == own[0]):
            continue
        unit = places[one["path"]].unit
        low, high = usual_range(one["values"][0], unit if isinstance(unit, str) else None, one)
        low, high = min(low, float(own.min())), max(high, float(own.max()))
        yield {"parameter": number, "element": 0, "low": low, "high": high}


def _values(placed: Placed) -> Array:
    """A row of all inputs and parameters for each member."""
    values: Array = np.tile(placed.own, (len(placed.members), 1))
    values[:, placed.places] = placed.matrix
    return values
