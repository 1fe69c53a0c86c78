"""The Wageningen B-series against printed values, by other programs, and as a propeller of a diagram."""

from __future__ import annotations

import math

import numpy as np
import pytest

from blocks.errors import ParameterError
from blocks.estimates import EstimateWarning, efficiency, open_water, propeller_parameters
from blocks.estimates.wageningen import THRUST, THRUST_BY_REYNOLDS, TORQUE, TORQUE_BY_REYNOLDS
from blocks.thrust import PropellerThrusters


def at(coefficients: tuple[float, ...], j: float) -> float:
    return float(np.polyval(coefficients, j))


def test_the_table_is_whole() -> None:
    """39 and 47 terms, each once; sums of all coefficients as in three printings of it."""
    for terms, count, total in ((THRUST, 39, -0.0337731941), (TORQUE, 47, 0.0098693749)):
        assert len({term[1:] for term in terms}) == len(terms) == count
        assert sum(term[0] for term in terms) == pytest.approx(total, abs=1e-10)


def test_a_propeller_that_was_printed() -> None:
    """B3-71.8 with P/D 1 in MSS remus100.m, from its own table: K_T and K_Q at J 0 and 0.6632, four digits."""
    thrust, torque = open_water(1.0, 0.718, 3)
    printed = {0.0: (0.4566, 0.0700), 0.6632: (0.1798, 0.0312)}
    for j, (k_t, k_q) in printed.items():
        assert at(thrust, j) == pytest.approx(k_t, abs=5e-5)
        assert at(torque, j) == pytest.approx(k_q, abs=5e-5)


def test_efficiency_is_what_the_charts_show() -> None:
    """B4-70, P/D 1: at its best 0.69 near J 0.85, K_T zero near 1.06."""
    thrust, torque = open_water(1.0, 0.70, 4)
    j = np.linspace(0.05, 1.0, 96)
    found = [efficiency(thrust, torque, x) for x in j]
    assert max(found) == pytest.approx(0.69, abs=0.015)
    assert 0.75 < j[int(np.argmax(found))] < 0.95
    assert propeller_parameters(1.0, 1.0, 0.70, 4)["advance_range_forward"][1] == pytest.approx(1.06, abs=0.02)
    disc = 2.0 / (1.0 + math.sqrt(1.0 + 8.0 * at(thrust, 0.8) / (math.pi * 0.64)))
    assert efficiency(thrust, torque, 0.8) < disc  # no propeller beats the ideal one


def test_the_correction_for_reynolds_number_begins_where_the_series_ends() -> None:
    """At 2·10⁶ it is next to nothing; beyond, friction falls: torque less, efficiency 2 to 3 % more per decade."""
    for terms, least in ((THRUST_BY_REYNOLDS, 1e-3), (TORQUE_BY_REYNOLDS, 1e-3)):
        for j in (0.2, 0.5, 0.8):
            log = math.log10(2e6) - 0.301
            added = sum(c * log**r * j**s * 1.0**t * 0.7**u * 4.0**v for c, r, s, t, u, v in terms)
            assert abs(added) < least
    before, after = open_water(1.0, 0.7, 4), open_water(1.0, 0.7, 4, reynolds=2e7)
    assert at(after[1], 0.7) < at(before[1], 0.7)
    assert 1.01 < efficiency(*after, 0.7) / efficiency(*before, 0.7) < 1.06


def test_it_feeds_a_propeller() -> None:
    found = propeller_parameters(5.0, 0.9, 0.6, 4)
    block = PropellerThrusters(
        allocation_matrix=[[1.0], [0.0], [0.0], [0.0], [0.0], [0.0]], speed_limit_forward=2.0, speed_limit_reverse=2.0,
        **found,
    )  # fmt: skip
    thrust, torque = open_water(0.9, 0.6, 4)
    out = block.evaluate(command=[1.5], nu_r=[4.0, 0, 0, 0, 0, 0]).outputs
    j = 4.0 / (1.5 * 5.0)
    assert out["thrust"][0] == pytest.approx(1025.0 * 625.0 * at(thrust, j) * 2.25, rel=1e-12)
    assert out["power"][0] == pytest.approx(2.0 * math.pi * 1.5 * 1025.0 * 3125.0 * at(torque, j) * 2.25, rel=1e-12)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ((1.0, 0.7, 8), "blades must be a whole number from 2 to 7, as the B-series has them, not 8"),
        ((1.0, 1.4, 4), "area_ratio is A_e/A_0, and the B-series has it from 0.3 to 1.05, not 1.4"),
        ((2.5, 0.7, 4), "pitch_ratio is P/D, and the B-series has it from 0.4 to 1.5, not 2.5"),
    ],
)
def test_what_the_series_does_not_have_is_refused(wrong: tuple[float, float, int], told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        open_water(*wrong)


def test_an_area_that_was_not_tested_with_so_many_blades_is_warned_of() -> None:
    with pytest.warns(EstimateWarning, match="with 7 blades is for area_ratio from 0.55 to 0.85"):
        open_water(1.0, 0.4, 7)
