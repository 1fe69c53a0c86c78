from __future__ import annotations

from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog

from blocks.drawing.simplex import Arc, network_simplex


def _cost(values: list[int], arcs: list[Arc]) -> int:
    return sum(arc.weight * (values[arc.head] - values[arc.tail]) for arc in arcs)


@pytest.mark.parametrize("seed", range(64))
def test_is_as_good_as_linear_programming(seed: int) -> None:
    random = Random(seed)
    count, density = (random.randint(2, 14), 0.4) if seed < 60 else (120, 0.03)
    arcs = [
        Arc(i, j, random.randint(-2, 3), random.randint(0, 4))
        for i in range(count)
        for j in range(i + 1, count)
        if random.random() < density
    ] or [Arc(0, 1, 1, 1)]
    values = network_simplex(count, arcs)
    assert all(values[arc.head] - values[arc.tail] >= arc.distance for arc in arcs)
    costs, rows = np.zeros(count), np.zeros((len(arcs), count))
    for row, arc in zip(rows, arcs, strict=True):
        costs[arc.head] += arc.weight
        costs[arc.tail] -= arc.weight
        row[arc.tail], row[arc.head] = 1, -1
    best = linprog(costs, A_ub=rows, b_ub=[-arc.distance for arc in arcs], bounds=(None, None))
    assert _cost(values, arcs) == pytest.approx(best.fun, abs=1e-9)


def test_every_connected_part_begins_at_zero() -> None:
    assert network_simplex(5, [Arc(0, 1, 3, 1), Arc(3, 2, 2, 1)]) == [0, 3, 2, 0, 0]


def test_a_weightless_arc_holds_but_does_not_pull() -> None:
    # 2 is pulled to 1, not to 0, though both must be below it.
    assert network_simplex(3, [Arc(0, 1, 5, 1), Arc(0, 2, 1, 0), Arc(2, 1, 1, 3)]) == [0, 5, 4]


def test_contradicting_distances_are_refused() -> None:
    with pytest.raises(ValueError, match="contradict each other"):
        network_simplex(2, [Arc(0, 1, 1, 1), Arc(1, 0, 1, 1)])


def test_an_arc_of_a_variable_that_is_not_there_is_refused() -> None:
    with pytest.raises(IndexError, match="an arc joins 0 and 2, but there are 2 variables"):
        network_simplex(2, [Arc(0, 2, 1, 1)])
