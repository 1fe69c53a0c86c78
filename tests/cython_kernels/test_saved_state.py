"""The state of the engine: pauses, restarts, and saved states from which a run continues bit for bit."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from wiring import external, read, set_input, wired

from blocks.basic import (
    Clock,
    Integrator,
    Sine,
    Sum,
    ZeroOrderHold,
)
from blocks.plan import Plan, make_plan
from cython_kernels import engine as native

pytestmark = pytest.mark.usefixtures("either_engine")
END, PAUSED = (next(s for s, text in native.STATUSES.items() if text == t) for t in ("end", "paused"))
NATIVE = ("euler", "heun", "rk4", "dopri5")


# --- pauses and restarts ---------------------------------------------------------------------------------------------


def trace(engine: native.Engine, plan: Plan, times: list[float], steps: int | None = None) -> list[bytes]:
    """The engine's values as bytes at each of the times, reached in pieces of so many steps."""
    found = []
    for t in times:
        while (engine.advance(t, steps) if steps else engine.advance(t)) == PAUSED:
            pass
        found.append(engine.values[: plan.regions.dx].tobytes())
    return found


TIMES = [0.3, 0.77, 1.0, 1.6, 2.5]


@pytest.mark.parametrize("solver", NATIVE)
def test_pauses_do_not_matter(solver, mixed_plan):
    plan = mixed_plan(solver)
    whole, pieces = plan.engine(), plan.engine()
    whole.start(0.0)
    pieces.start(0.0)
    assert trace(whole, plan, TIMES) == trace(pieces, plan, TIMES, steps=1)
    assert whole.steps == pieces.steps


@pytest.mark.parametrize("solver", NATIVE)
def test_a_second_start_is_like_the_first(solver, mixed_plan):
    """Nothing of the run before is left, not even what sampled blocks have held."""
    plan = mixed_plan(solver)
    engine = plan.engine()
    engine.start(0.0)
    first = trace(engine, plan, TIMES)
    engine.start(0.0)
    assert trace(engine, plan, TIMES) == first


def test_a_second_start_clears_what_samples_held_before_their_first_hit():
    plan = make_plan(
        wired({"clock": Clock(), "hold": ZeroOrderHold(period=1.0, offset=0.5)}, ("clock.y", "hold.u")), step=0.1
    )
    engine = plan.engine()
    engine.start(0.0)
    engine.advance(2.0)
    assert read(engine, plan, "hold.y") == 1.5
    engine.start(0.0)
    assert read(engine, plan, "hold.y") == 0.0


@pytest.mark.parametrize("solver", NATIVE)
def test_engines_of_one_plan_do_not_touch_each_other(solver, mixed_plan):
    plan = mixed_plan(solver)
    alone, one, other = plan.engine(), plan.engine(), plan.engine()
    for engine in (alone, one, other):
        engine.start(0.0)
    expected = trace(alone, plan, TIMES)
    found = []
    for t in TIMES:
        found += trace(one, plan, [t])
        trace(other, plan, [t + 0.123])
    assert found == expected


# --- saved states ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", NATIVE)
@pytest.mark.parametrize("at", [0.0, 0.1, 0.35, 0.371])
def test_a_restored_state_goes_on_bit_for_bit(solver, at, mixed_plan):
    plan = mixed_plan(solver)
    engine = plan.engine()
    engine.start(0.0)
    engine.advance(at)
    saved = engine.save()
    expected = trace(engine, plan, TIMES[2:])
    engine.restore(saved)
    assert engine.time == pytest.approx(at, abs=1e-12)
    assert trace(engine, plan, TIMES[2:]) == expected, "into the same engine"
    fresh = plan.engine()
    fresh.restore(saved)
    assert trace(fresh, plan, TIMES[2:]) == expected, "into another one, which was never started"


@pytest.mark.parametrize("solver", NATIVE)
def test_every_step_can_be_saved(solver, mixed_plan):
    """Also where an adaptive step has just ended at an event, at a hit, or one rounding beside it."""
    plan = mixed_plan(solver)
    engine, shadow = plan.engine(), plan.engine()
    engine.start(0.0)
    while engine.advance(0.6, 1) == PAUSED:
        shadow.restore(engine.save())
        ahead = engine.save()
        engine.advance(1.0, 3)
        shadow.advance(1.0, 3)
        assert engine.save() == shadow.save()
        engine.restore(ahead)


def test_adaptive_steps_are_saved_where_a_call_ends_beside_the_sum_of_its_steps():
    """t + h is not always the end that was asked for; derivatives that depend on time must be those of one of them."""
    blocks = {"sine": Sine(1.0, 5.0), "x": Integrator(), "sum": Sum("++")}
    plan = make_plan(
        wired(blocks, ("sine.y", "sum.in1"), ("x.y", "sum.in2"), ("sum.y", "x.u")), solver="dopri5", step=0.7
    )
    engine, shadow = plan.engine(), plan.engine()
    for k in range(1, 200):
        start, end = -0.0101 * k, 0.00013 * k
        engine.start(start)
        engine.advance(end)
        shadow.restore(engine.save())
        for one in (engine, shadow):
            one.advance(2.0)
        assert engine.values[: plan.regions.dx].tobytes() == shadow.values[: plan.regions.dx].tobytes(), k


def test_inputs_set_before_saving_are_seen_after_restoring():
    plan, engine = external()
    engine.start(0.0)
    engine.advance(0.1)
    set_input(engine, plan, 4.0)
    other = plan.engine()
    other.restore(engine.save())
    for one in (engine, other):
        one.advance(0.1)
        assert (read(one, plan, "through.y"), read(one, plan, "gain.y")) == (4.0, 8.0)


def test_parameters_set_before_saving_are_seen_after_restoring(make_sample):
    """Also through constants that are derived from them."""
    vessel = make_sample("dynamics.Vessel6DOF")
    plan = make_plan(vessel, step=0.1)
    name = plan.flat.leaves[0].name
    engine, other = plan.engine(), plan.engine()
    engine.start(0.0)
    for parameter in ("rigid_body_inertia", "added_mass"):
        engine.values[plan.parameters[f"{name}.{parameter}"].slice] *= 2.0
    engine.parameters_changed()
    before = read(engine, plan, f"{name}.acceleration")
    other.restore(engine.save())
    assert engine.refresh() == other.refresh() == END
    assert not np.allclose(read(engine, plan, f"{name}.acceleration"), before)
    np.testing.assert_array_equal(read(other, plan, f"{name}.acceleration"), read(engine, plan, f"{name}.acceleration"))


def test_a_state_of_another_plan_is_refused(mixed_plan):
    one, other = mixed_plan("rk4").engine(), mixed_plan("dopri5").engine()
    one.start(0.0)
    saved = one.save()
    for wrong in (saved[:-1], saved + b"\0", b"", saved[:8], other.save()):
        with pytest.raises(native.EngineError, match=r"state of another plan"):
            one.restore(wrong)
    with pytest.raises(native.EngineError, match=r"state of another plan"):
        other.restore(saved)
    one.restore(saved)


def test_a_damaged_state_is_refused_and_changes_nothing(mixed_plan):
    engine = mixed_plan("rk4").engine()
    engine.start(0.0)
    engine.advance(0.2)
    saved = engine.save()
    for place in range(0, len(saved), 7):
        damaged = bytearray(saved)
        damaged[place] ^= 0x40
        with pytest.raises(native.EngineError):
            engine.restore(bytes(damaged))
    assert engine.save() == saved


T, START, NEXT, GRID, STEPS, EVALUATIONS, TINY = 16, 24, 32, 40, 48, 56, 68  # bytes of the saved clock
VALUES = 80  # where the values follow


def test_a_clock_that_no_run_has_is_refused_though_the_checksum_fits(mixed_plan):
    plan = mixed_plan("dopri5")
    engine = plan.engine()
    engine.start(0.0)
    engine.advance(0.25)
    saved = engine.save()
    hits = len(saved) - 8 * 2  # of two rates; they stand at the end
    period, offset = (VALUES + 8 * plan.parameters[f"delayed.{name}"].first for name in ("period", "offset"))
    for place, form, value in (
        (T, "<d", math.nan), (START, "<d", math.inf), (NEXT, "<d", -1.0), (TINY, "<i", -1), (TINY, "<i", 10**6),
        *((place, "<q", value) for place in (GRID, STEPS, EVALUATIONS) for value in (-1, 2**54)),
        (hits, "<d", -1.0), (hits, "<d", 1e16), (hits, "<d", math.nan), (period, "<d", 0.2), (offset, "<d", 0.01),
    ):  # fmt: skip
        forged = bytearray(saved)
        struct.pack_into(form, forged, place, value)
        struct.pack_into("<Q", forged, 8, native.fnv1a_hash(bytes(forged[16:])))
        with pytest.raises(native.EngineError, match=r"state of another plan"):
            engine.restore(bytes(forged))
    assert engine.save() == saved
