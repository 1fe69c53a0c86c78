"""Random functions in the C that Cython writes have the same bits in lanes. More of them: KEELBLOCKS_RANDOM_C=2000."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from libraries import WHY_NOT
from random_c import program
from side_by_side_c import COMPILER, WIDTHS, laned

pytestmark = pytest.mark.skipif(not COMPILER, reason=WHY_NOT)
MANY = 40
"""Functions in a file."""
COUNT = int(os.environ.get("KEELBLOCKS_RANDOM_C", "400"))
OPTIMISED = (("-O1",), ("-O3",))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5000, 5000 + COUNT // MANY))
def test_many(seed: int, tmp_path: Path) -> None:
    """Nothing of a seed differs, and little is refused."""
    made = laned(*program(seed, MANY, 12 + seed % 20))
    assert len(made.refused) <= MANY // 4
    assert made.differences(tmp_path, WIDTHS[seed % len(WIDTHS)], OPTIMISED[seed // 2 % 2]) == []
