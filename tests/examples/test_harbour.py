"""Out of a harbour: the boat keeps the plan, and the plan is worth its while."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "harbour.py"
PAGE = EXAMPLE.parents[1] / "docs" / "routes.md"
_ROW = r"^\| (route, least \w+|Otter by `\w+`) \| (\d+) \| (\d+) \| ([\d.]+) \|"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def names() -> Any:
    """The names of the example."""
    return runpy.run_path(str(EXAMPLE))


def test_the_boat_keeps_the_plan_and_the_page_has_it(names: Any) -> None:
    field, radius = names["tide"](), 2.0 * names["least_radius"]()
    routes = {f"route, least {one}": names["route"](field, radius, one) for one in ("time", "distance")}
    quick, short = routes.values()
    found = {name: (way.length, way.duration, way.least_clearance) for name, way in routes.items()}
    for name, run in names["runs"](quick, field).items():
        track = run.values("vessel.eta")[:, :2]
        length = float(np.hypot(*np.diff(track, axis=0).T).sum())
        found[f"Otter by `{name}`"] = (length, run.time[-1], quick.clearance_at(track).min())
    shown = {name: tuple(map(float, row)) for name, *row in re.findall(_ROW, PAGE.read_text(encoding="utf-8"), re.M)}
    assert shown.keys() == found.keys()
    for name, row in shown.items():  # where the search ends depends on the BLAS of the processor, to 0.09 m
        assert found[name] == pytest.approx(row, rel=0.01, abs=0.1), name
    assert quick.duration < short.duration - 15.0
    assert short.length < quick.length - 30.0
    assert found["Otter by `DubinsPath`"][1] == pytest.approx(quick.duration, rel=0.01)
    assert min(row[2] for row in found.values()) > names["MARGIN"] - 0.3
