"""Waves at a point: the equations of linear theory by differences of outputs, and statistics of a long record."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.environment import JonswapSea, RegularWave, SeaSurface, WaveGauges
from blocks.errors import ParameterError, WiringError
from blocks.plan import make_plan

G, RHO = 9.81, 1025.0
SEAS = {
    "deep": JonswapSea(2.0, 8.0, direction=0.6, seed=3),
    "finite": JonswapSea(2.0, 8.0, direction=0.6, seed=3, depth=12.0, frequencies=7),
    "regular": RegularWave(0.5, 6.0, direction=2.0, phase=0.3, depth=8.0),
}


class Water:
    """The surface over a sea, asked again and again."""

    def __init__(self, sea):
        components = sea.evaluate().outputs["waves"]
        self.plan = make_plan(SeaSurface(), input_shapes={"waves": components.shape})
        self.engine = self.plan.engine()
        self.engine.values[self.plan.inputs["waves"].slice] = components.ravel()
        self.engine.initialise(0.0)

    def __call__(self, name, place, t):
        self.engine.values[self.plan.inputs["position"].slice] = place
        self.engine.look(t)
        found = self.engine.values[self.plan.outputs[f"sea_surface.{name}"].slice].copy()
        return found if len(found) > 1 else float(found[0])

    def gradient(self, name, place, t, step=1e-4):
        """By central differences: a row per direction."""
        place = np.asarray(place, dtype=float)
        return np.array(
            [(self(name, place + h, t) - self(name, place - h, t)) / (2.0 * step) for h in step * np.eye(3)]
        )

    def rate(self, name, place, t, step=1e-4):
        return (self(name, place, t + step) - self(name, place, t - step)) / (2.0 * step)


@pytest.fixture(scope="module", params=SEAS)
def water(request):
    return Water(SEAS[request.param])


PLACES = [((0.0, 0.0, 1.0), 0.0), ((40.0, -13.0, 3.0), 17.0), ((-8.0, 200.0, 6.5), 431.0)]


@pytest.mark.parametrize(("place", "t"), PLACES)
def test_the_flow_is_free_of_divergence_and_rotation(water, place, t):
    gradient = water.gradient("velocity", place, t)
    assert np.trace(gradient) == pytest.approx(0.0, abs=1e-7)
    assert gradient == pytest.approx(gradient.T, abs=1e-7)
    assert np.abs(gradient).max() > 1e-3


@pytest.mark.parametrize(("place", "t"), PLACES)
def test_the_pressure_accelerates_the_water(water, place, t):
    """Linear momentum: rho dv/dt = -grad p."""
    force = -water.gradient("pressure", place, t)
    assert RHO * water.rate("velocity", place, t) == pytest.approx(force, abs=1e-3)
    assert np.abs(force).max() > 10.0


@pytest.mark.parametrize(("place", "t"), PLACES)
def test_at_the_surface(water, place, t):
    """It rises with the water, the pressure carries it, and the slope is its own."""
    place = (*place[:2], 0.0)
    assert water.rate("elevation", place, t) == pytest.approx(-water("velocity", place, t)[2], abs=1e-7)
    assert water("pressure", place, t) == pytest.approx(RHO * G * water("elevation", place, t), abs=1e-8)
    assert water.gradient("elevation", place, t)[:2] == pytest.approx(water("slope", place, t), abs=1e-8)


@pytest.mark.parametrize(("sea", "depth"), [("finite", 12.0), ("regular", 8.0)])
def test_nothing_flows_through_the_bottom(sea, depth):
    water = Water(SEAS[sea])
    velocity = water("velocity", (3.0, 4.0, depth), 5.0)
    assert abs(velocity[2]) < 1e-14
    assert np.linalg.norm(velocity[:2]) > 0.02


def test_above_the_surface_it_is_as_at_the_surface(water):
    for name in ("velocity", "pressure"):
        at, above = (water(name, (3.0, 4.0, z), 5.0) for z in (0.0, -2.0))
        assert np.array_equal(at, above)


def test_deep_water_is_the_limit_of_finite_depth():
    deep, finite = (Water(JonswapSea(2.0, 8.0, seed=3, **d)) for d in ({}, {"depth": 120.0}))
    for name in ("elevation", "slope", "velocity", "pressure"):
        one, other = (water(name, (9.0, 4.0, 2.0), 5.0) for water in (deep, finite))
        assert one == pytest.approx(other, rel=1e-4, abs=1e-4)


def test_long_waves_are_hydrostatic():
    """Pressure is that of the water above down to the bottom, and the flow the same all the way."""
    water = Water(RegularWave(0.1, 300.0, depth=3.0))
    for t in (0.0, 40.0):
        surface, bottom = (water("pressure", (0.0, 0.0, z), t) for z in (0.0, 3.0))
        assert bottom == pytest.approx(surface, rel=2e-4)
        assert surface == pytest.approx(RHO * G * water("elevation", (0.0, 0.0, 0.0), t), rel=1e-12)
    assert water("velocity", (0.0, 0.0, 2.0), 0.0)[0] == pytest.approx(0.1 * np.sqrt(G / 3.0), rel=1e-3)


def test_waves_travel_to_their_direction():
    """90 degrees: to the east. What is here now is there a distance c t later, and crests go with the water in them."""
    water = Water(RegularWave(0.5, 6.0, direction="90 deg"))
    speed = G * 6.0 / (2.0 * np.pi)
    for t in (0.0, 1.3, 2.0):
        assert water("elevation", (77.0, speed * t, 0.0), t) == pytest.approx(0.5, rel=1e-12)
    assert water("velocity", (0.0, 0.0, 0.0), 0.0) == pytest.approx([0.0, 0.5 * 2.0 * np.pi / 6.0, 0.0], abs=1e-12)
    assert water("slope", (0.0, 1.0, 0.0), 0.0)[1] < 0.0


@pytest.fixture(scope="module")
def record():
    """Eight hours of a sea at two points."""
    diagram = Diagram()
    sea = diagram.add("sea", JonswapSea(2.0, 8.0, seed=1))
    gauges = diagram.add("gauges", WaveGauges([[0.0, 0.0], [30.0, -400.0]]))
    surface = diagram.add("surface", SeaSurface())
    diagram.connect(sea.waves, gauges.waves, surface.waves)
    run = simulate(diagram, 28800.0, step=0.5, record=["gauges.elevation", "surface.elevation"])
    return sea, run.values("gauges.elevation"), run.values("surface.elevation")


def test_a_long_record_has_the_height_and_the_period_of_the_sea(record):
    sea, gauges, surface = record
    assert gauges[:, 0] == pytest.approx(surface, abs=1e-12)
    assert abs(np.corrcoef(gauges.T)[0, 1]) < 0.5
    for series in gauges.T:
        assert 4.0 * series.std() == pytest.approx(2.0, rel=0.01)
        assert abs(series.mean()) < 1e-3
        ups = np.count_nonzero((series[:-1] < 0.0) & (series[1:] >= 0.0))
        assert 28800.0 / ups == pytest.approx(sea.zero_crossing_period, rel=0.03)
        kurtosis = ((series - series.mean()) ** 4).mean() / series.var() ** 2
        assert kurtosis == pytest.approx(3.0, abs=0.15)


def test_any_number_of_components_will_do(waves):
    """The sums go by eights; what is left is filled up."""
    for count in (1, 7, 8, 9, 16, 23):
        sea = JonswapSea(2.0, 8.0, frequencies=count, directions=1, direction=0.5, depth=9.0)
        omega, north, east, k, a, phase, _ = waves(sea)
        theta = 3.0 * north - 7.0 * east - 11.0 * omega + phase
        found = sea_surface(waves(sea), (3.0, -7.0, 2.0), 11.0)
        assert found["elevation"] == pytest.approx((a * np.cos(theta)).sum(), rel=1e-12)
        factor = np.cosh(k * 7.0) / np.cosh(k * 9.0)
        assert found["pressure"] == pytest.approx(RHO * G * (a * factor * np.cos(theta)).sum(), rel=1e-12)
        down = -a * omega * np.sinh(k * 7.0) / np.sinh(k * 9.0) * np.sin(theta)
        assert found["velocity"][2] == pytest.approx(down.sum(), rel=1e-12)


def sea_surface(components, place, t):
    return SeaSurface().evaluate(t, waves=components, position=place).outputs


def test_bad_input_is_refused():
    with pytest.raises(ParameterError, match=r"SeaSurface\.density must be > 0 kg/m\^3, not 0"):
        SeaSurface(density=0.0)
    with pytest.raises(ParameterError, match=r"WaveGauges\.positions must be an array of m×2 in m, not an array of 3"):
        WaveGauges([1.0, 2.0, 3.0])
    diagram = Diagram()
    sea, surface = diagram.add("sea", JonswapSea(2.0, 8.0)), diagram.add("surface", SeaSurface())
    with pytest.raises(WiringError, match=r"cannot connect sea.waves \(Waves, 1, ned\) to surface.position"):
        diagram.connect(sea.waves, surface.position)
