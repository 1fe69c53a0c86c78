"""What the tests of seas share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks.block import Block
from blocks.plan import make_plan

Waves = NDArray[np.float64]


@pytest.fixture(scope="session")
def waves() -> Callable[[Block], Waves]:
    """The components of a sea."""
    return lambda sea: sea.evaluate().outputs["waves"]


@pytest.fixture(scope="session")
def realisations() -> Callable[[Block, Iterable[int]], NDArray[np.float64]]:
    """The components of a sea for each of several seeds."""

    def get(sea: Block, seeds: Iterable[int]) -> NDArray[np.float64]:
        plan = make_plan(sea)
        engine: Any = plan.engine()
        engine.initialise(0.0)
        name = plan.flat.leaves[0].name
        seed, (place,) = plan.parameters[f"{name}.seed"].first, plan.outputs.values()
        found = []
        for number in seeds:
            engine.values[seed] = number
            engine.parameters_changed()
            engine.refresh()
            found.append(engine.values[place.slice].reshape(place.shape).copy())
        return np.array(found)

    return get
