"""The examples with ships: what their page shows of the roll in a turn, and a zigzag from a file."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks.scenario import Scenario

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The names of the example, run once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("ferry_rolls"))
        return runpy.run_path(str(EXAMPLES / "ferry_rolls.py"))


def test_roll_goes_with_the_square_of_speed_over_the_metacentric_height(ferry: Any) -> None:
    """In the steady turn, within 2 %; slow turns still swing at the end."""
    factors = [it.steady * height / it.speed**2 for height, found in ferry["turns"].items() for it in found[2:]]
    assert factors == pytest.approx([float(np.mean(factors))] * len(factors), rel=0.02)


def test_the_rudder_heels_inwards_and_holds_against_the_turn(ferry: Any) -> None:
    for coupled, without in zip(ferry["turns"][0.3], ferry["without"], strict=True):
        assert without.inwards < 0.01 < 0.3 < coupled.inwards < 0.6
        assert coupled.outwards == pytest.approx(0.7 * without.outwards, rel=0.02)


def test_the_page_shows_what_the_example_finds(ferry: Any) -> None:
    page = (ROOT / "docs" / "ferry_rolls.md").read_text(encoding="utf-8")
    rows = {"0.3 m, greatest": [it.outwards for it in ferry["turns"][0.3]]}
    rows["0.3 m, steady"] = [it.steady for it in ferry["turns"][0.3]]
    rows |= {f"{height} m, greatest": [it.outwards for it in ferry["turns"][height]] for height in (0.6, 1.2)}
    rows["0.3 m, greatest, rudder on the roll axis"] = [it.outwards for it in ferry["without"]]
    for name, numbers in rows.items():
        assert f"| {name} | " + " | ".join(f"{number:.1f}°" for number in numbers) + " |" in page


def test_the_zigzag_of_a_file_is_that_of_the_lab() -> None:
    """First overshoot 7.8°, as of the equations integrated by SciPy in tests/blocks/lab/test_ships.py."""
    run = Scenario.load(EXAMPLES / "mariner_zigzag.yaml").run()
    heading = np.degrees(run.values("hull.eta")[:, 5])
    first = run.time < 120.0
    assert heading[first].max() == pytest.approx(27.8, abs=0.1)
    assert run.values("steering.finished")[-1] == 1.0
