"""Sine, cosine, exponential and angle of the loops over waves, seen through blocks that show them undisguised."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks.environment import SeaSurface, WaveForceRAO, WaveGauges
from blocks.plan import make_plan
from cython_kernels import elementary

Array = NDArray[np.float64]
WAVE = np.array([[0.0], [1.0], [0.0], [1.0], [1.0], [0.0], [0.0]])  # at rest, 1 m high, a radian per metre north


def surface(name: str, positions: Iterable[tuple[float, float, float]]) -> Array:
    """An output of SeaSurface over this wave at many positions."""
    plan = make_plan(SeaSurface(density=1.0, gravity=1.0), input_shapes={"waves": (7, 1)})
    engine = plan.engine()
    engine.initialise(0.0)
    engine.values[plan.inputs["waves"].slice] = WAVE.ravel()
    found = []
    for position in positions:
        engine.values[plan.inputs["position"].slice] = position
        engine.look(0.0)
        found.append(engine.values[plan.outputs[f"sea_surface.{name}"].first])
    return np.array(found)


def sine(angles: Array) -> Array:
    """Minus the slope."""
    return -surface("slope", ((x, 0.0, 0.0) for x in angles))


def cosine(angles: Array) -> Array:
    """The elevation."""
    gauges = WaveGauges(np.column_stack([angles, np.zeros_like(angles)]))
    found: Array = gauges.evaluate(waves=WAVE).outputs["elevation"]
    return found


def test_sine_and_cosine_are_those_of_single_numbers() -> None:
    """To the last bit, up to where these have their rare branch."""
    random = np.random.default_rng(1)
    multiples = random.integers(-200_000, 200_000, 200) * (np.pi / 2)
    sizes = (1.0, 30.0, 1e4, 4.1e5)
    angles = np.concatenate([*(random.uniform(-size, size, 500) for size in sizes), multiples, [0.0]])
    assert np.array_equal(sine(angles), elementary.sin(angles))
    assert np.array_equal(cosine(angles), elementary.cos(angles))


def test_beyond_they_are_those_of_the_next_number() -> None:
    angles = np.random.default_rng(2).uniform(4e5, 1e9, 500)
    for got, single in ((sine(angles), elementary.sin), (cosine(angles), elementary.cos)):
        assert np.all(np.abs(got - single(angles)) < np.spacing(angles))


def test_the_exponential_is_that_of_the_engine() -> None:
    depths = np.concatenate([np.random.default_rng(3).uniform(0.0, 700.0, 1000), np.geomspace(1e-18, 1.0, 300), [0.0]])
    assert np.array_equal(surface("pressure", ((0.0, 0.0, z) for z in depths)), elementary.exp(-depths))


def test_the_exponential_ends_at_700() -> None:
    end, beyond = surface("pressure", [(0.0, 0.0, 700.0), (0.0, 0.0, 1e5)])
    assert end == beyond == pytest.approx(np.exp(-700.0))


def test_the_angle_of_a_vector_in_all_directions() -> None:
    """Through a table whose surge load is the heading itself."""
    amplitude = np.zeros((6, 2, 2))
    amplitude[0] = [0.0, np.pi]
    table = WaveForceRAO(frequencies=[0.0, 1.0], headings=[0.0, np.pi], amplitude=amplitude)
    random = np.random.default_rng(4)
    edges = np.arange(-16, 17) * (np.pi / 16.0)
    angles = np.concatenate([random.uniform(-np.pi, np.pi, 200), edges, edges + 1e-12])
    plan = make_plan(table, input_shapes={"waves": (7, 1)})
    engine = plan.engine()
    engine.initialise(0.0)
    for angle, size in zip(angles, 10.0 ** random.uniform(-6.0, 6.0, len(angles)), strict=True):
        north, east = size * np.cos(angle), size * np.sin(angle)
        engine.values[plan.inputs["waves"].slice] = [0.0, north, east, size, 1.0, 0.0, 0.0]
        engine.look(0.0)
        heading = engine.values[plan.outputs["wave_force_rao.disturbance"].first]
        assert heading == pytest.approx(abs(np.arctan2(east, north)), rel=1e-15, abs=5e-16)
