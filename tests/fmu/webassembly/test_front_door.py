"""The functions of the module, called as a page calls them."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from subjects import mission
from webassembly import in_webassembly, skip_without_webassembly
from wiring import wired

from blocks import simulate
from blocks.basic import Clock, Constant, Function, Gain, Integrator, Sine, Sum
from blocks.plan import Plan, make_plan
from cython_kernels import engine as native
from fmu.runtime.webassembly.engine import Engine, Host
from fmu.runtime.webassembly.module import engine_module

END, PAUSED, NOT_FINITE = 0, 1, 4


@pytest.fixture(scope="module")
def host() -> Host:
    """One instance of the module."""
    skip_without_webassembly()
    return Host(engine_module())


class Page:
    """A plan opened by hand."""

    def __init__(self, host: Host, plan: Plan) -> None:
        self.host, self.plan = host, plan
        self.engine = host.call("open", host.write(plan.stored), len(plan.stored))
        assert self.call("status") == END

    def call(self, name: str, *arguments: float) -> float:
        return self.host.call(name, self.engine, *arguments)

    @property
    def values(self) -> np.ndarray:
        return self.host.doubles(self.call("values"), self.call("value_count"))

    def record(self, name: str, capacity: int, every: int = 1) -> int:
        """Begin to record an output; the address of the rows."""
        place = self.plan.outputs[name]
        places = np.arange(place.first, place.first + place.count, dtype=np.intc)
        address = self.host.write(places.tobytes())
        times = self.call("record", address, place.count, every, capacity)
        self.host.call("release", address)
        self.room = capacity, place.count, times
        return times

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Times and rows that are recorded."""
        capacity, channels, times = self.room
        rows = int(self.call("rows"))
        found = self.host.doubles(times + 8 * capacity, rows * channels).reshape(rows, channels)
        return self.host.doubles(times, rows).copy(), found.copy()


def swing(**settings) -> Plan:
    """A driven oscillator, for an adaptive solver that takes steps far longer than those of the grid."""
    blocks = {"v": Integrator(), "x": Integrator(initial_x=1.0), "drive": Sine(1.0, 2.0), "sum": Sum("+-")}
    wires = [("drive.y", "sum.in1"), ("x.y", "sum.in2"), ("sum.y", "v.u"), ("v.y", "x.u")]
    return make_plan(wired(blocks, *wires), end=10.0, **{"solver": "dopri5", "step": 0.01} | settings)


def test_a_run_in_pieces_is_the_run_and_its_parts_can_be_read(host):
    page = Page(host, swing(solver="rk4"))
    page.record("x.y", 1002)
    assert page.call("start", 0.0) == END
    pieces = []
    while page.call("proceed", 10.0, 300.0, 1) == PAUSED:
        pieces.append(page.rows())
    times, rows = page.rows()
    assert [len(part) for part, _ in pieces] == [301, 601, 901]
    assert page.call("rows_kept") == page.call("rows") == 1001
    for part, values in pieces:
        assert np.array_equal(times[: len(part)], part)
        assert np.array_equal(rows[: len(part)], values)
    whole = Page(host, page.plan)
    whole.record("x.y", 1002)
    whole.call("start", 0.0)
    assert whole.call("proceed", 10.0, 0.0, 1) == END
    assert np.array_equal(whole.rows()[1], rows)
    assert whole.call("steps") == 1000
    assert (whole.call("plan_start"), whole.call("plan_end"), whole.call("plan_step")) == (0.0, 10.0, 0.01)


def test_instants_between_the_steps_do_not_change_the_run(host):
    page, whole = Page(host, swing()), Page(host, swing())
    for one in (page, whole):
        one.record("x.y", 1002)
        one.call("start", 0.0)
    assert whole.call("proceed", 10.0, 0.0, 1) == END
    for t in (0.3337, 0.334, 1.7, 4.00001, 9.9999):
        assert page.call("proceed", t, 1.0, 0) in (END, PAUSED)
        while page.call("status") == PAUSED:
            page.call("proceed", t, 1.0, 0)
        assert page.call("time") == t
        kept = int(page.call("rows_kept"))
        assert np.array_equal(page.rows()[1][:kept], whole.rows()[1][:kept])
    assert page.call("proceed", 10.0, 0.0, 1) == END
    assert np.array_equal(page.rows()[1], whole.rows()[1])
    assert page.call("steps") == whole.call("steps")
    for t in np.linspace(0.3, 9.0, 60):
        page.call("start", 0.0)
        calls = 1
        while page.call("proceed", t, 1.0, 0) == PAUSED:
            calls += 1
        page.call("start", 0.0)
        for _ in range(calls - 1):
            page.call("proceed", t, 1.0, 0)
        page.call("proceed", 10.0, 0.0, 1)
        assert np.array_equal(page.rows()[1], whole.rows()[1]), "an instant that was not reached is left again"
    page.call("start", 0.0)
    page.call("advance", 0.3337, 0.0)
    page.call("advance", 10.0, 0.0)
    assert not np.array_equal(page.rows()[1], whole.rows()[1]), "a step ends where `advance` does"


def test_a_state_saved_between_the_steps_is_that_of_the_run(host):
    """And saving it changes nothing, not even what was recorded on the way to that instant."""
    page, other = Page(host, swing()), Page(host, swing())
    for one in (page, other):
        one.record("x.y", 1002)
        one.call("start", 0.0)
    page.call("proceed", 2.02, 0.0, 1)
    assert page.call("rows_kept") < page.call("rows") == 203
    (_, seen), values = page.rows(), page.values.tobytes()
    size = int(page.call("state_size"))
    saved = host.room(size)
    page.call("save", saved)
    assert np.array_equal(page.rows()[1], seen)
    assert page.values.tobytes() == values
    other.call("proceed", 5.02, 0.0, 1)
    assert other.call("rows_kept") < other.call("rows")
    assert other.call("restore", saved, size) == END
    assert other.call("time") < 2.02
    for one in (page, other):
        one.record("x.y", 1002)
        assert one.call("proceed", 9.0, 0.0, 0) == END
    assert np.array_equal(other.rows()[1], page.rows()[1])
    assert other.values[: page.plan.regions.dx].tobytes() == page.values[: page.plan.regions.dx].tobytes()


def test_a_table_begun_between_the_steps_goes_on_in_order(host):
    page = Page(host, swing())
    page.call("start", 0.0)
    page.record("x.y", 1002)
    page.call("proceed", 3.0, 0.0, 0)
    page.record("x.y", 1002)
    page.call("proceed", 5.0, 0.0, 1)
    times, _ = page.rows()
    np.testing.assert_allclose(np.diff(times), 0.01)
    assert 2.0 < times[0] <= 3.0
    assert times[-1] == 5.0


def test_the_end_is_recorded_where_it_is_closed(host):
    page = Page(host, swing(solver="rk4"))
    page.record("x.y", 1002)
    for closed, rows in ((0, 10), (1, 11)):
        page.call("start", 0.0)
        page.call("proceed", 0.1, 0.0, closed)
        assert page.call("rows") == rows
    page.call("proceed", 0.2, 0.0, 1)
    assert page.rows()[0].tolist() == pytest.approx(np.arange(21) * 0.01)


def test_a_parameter_in_place_and_a_restart_are_a_new_plan(host):
    """Also constants that are derived from it; and the run before leaves nothing behind."""

    def last(page: Page) -> bytes:
        assert page.call("start", 0.0) == END
        assert page.call("proceed", 5.0, 0.0, 1) == END
        return page.values[: page.plan.regions.dx].tobytes()

    diagram = mission()
    page = Page(host, make_plan(diagram, step=0.01))
    before = last(page)
    for path, value in (
        ("plant.vessel.added_mass", 1.2 * diagram["plant"]["vessel"].added_mass),
        ("autopilot.guidance.lookahead", 0.9),
    ):
        page.values[page.plan.parameters[path].slice] = np.ravel(value)
        block, _, name = path.rpartition(".")
        diagram.blocks()[block].set(**{name: value})
    page.call("parameters_changed")
    after = last(page)
    assert after != before
    assert after == last(Page(host, make_plan(diagram, step=0.01)))


def test_inputs_are_seen_when_they_change(host):
    diagram = wired({"gain": Gain(2.0), "x": Integrator()}, ("gain.y", "x.u"))
    diagram.inputs(u="gain.u")
    page = Page(host, make_plan(diagram, step=0.1))
    places = {name: place.first for name, place in {**page.plan.inputs, **page.plan.outputs}.items()}
    page.call("start", 0.0)
    page.values[places["u"]] = 3.0
    assert page.call("refresh") == END
    assert page.values[places["gain.y"]] == 6.0
    page.call("proceed", 0.5, 0.0, 0)
    page.values[places["u"]] = 0.0
    page.call("proceed", 1.0, 0.0, 0)
    assert page.values[places["x.y"]] == pytest.approx(3.0)


def test_a_run_that_stops_says_where_and_keeps_what_was_recorded(host):
    """x' = 1 + x² has a pole at π/2."""
    blocks = {"x": Integrator(), "square": Function("square"), "one": Constant(1.0), "rate": Sum("++")}
    wires = [("x.y", "square.u"), ("square.y", "rate.in1"), ("one.y", "rate.in2"), ("rate.y", "x.u")]
    plan = make_plan(wired(blocks, *wires), step=0.1)
    page, here = Page(host, plan), plan.engine()
    page.record("x.y", 50)
    page.call("start", 0.0)
    here.start(0.0)
    assert page.call("proceed", 5.0, 0.0, 1) == here.advance(5.0) == NOT_FINITE
    address = page.call("failure")
    *numbers, t = struct.unpack("<iiiid", host.memory[address : address + 24].tobytes())
    assert (numbers[0], native.PARTS[numbers[1]], *numbers[2:], t) == here.failure
    name = page.call("block_name", numbers[0])
    assert host.memory[name : name + 20].tobytes().split(b"\0")[0].decode() == plan.flat.leaves[numbers[0]].name
    assert page.call("block_name", len(plan.flat.leaves)) == page.call("block_name", -1) == 0
    times, rows = page.rows()
    assert len(times) > 15
    assert rows[10, 0] == pytest.approx(math.tan(1.0), rel=1e-5)


def test_states_move_between_the_engines(host):
    plan = swing()
    here, page = plan.engine(), Page(host, plan)
    here.start(0.0)
    here.advance(3.0)
    saved = here.save()
    assert page.call("state_size") == len(saved)
    assert page.call("restore", host.write(saved), len(saved)) == END
    address = host.room(len(saved))
    page.call("save", address)
    assert host.memory[address : address + len(saved)].tobytes() == saved
    here.advance(7.0)
    page.call("advance", 7.0, 0.0)
    assert page.values[: plan.regions.dx].tobytes() == here.values[: plan.regions.dx].tobytes()
    assert page.call("restore", host.write(saved), len(saved) - 1) == -6
    assert page.call("time") == 7.0


def test_what_is_no_plan_is_not_opened(host):
    stored = swing().stored
    damaged = stored[:200] + bytes([stored[200] ^ 1]) + stored[201:]
    for content, text in (
        (b"", "not a plan"), (b"no plan", "not a plan"), (stored[:-8], "truncated plan"), (damaged, "damaged plan"),
    ):  # fmt: skip
        with pytest.raises(native.EngineError, match=text):
            Engine(content, host=host)


def test_recording_is_refused_where_it_cannot_be(host):
    page = Page(host, swing())
    last = int(page.call("value_count")) - 1
    for places, channels, every, capacity in (
        ([0], 0, 1, 10), ([0], 1, 0, 10), ([0], 1, 1, 0), ([last + 1], 1, 1, 10), ([-1], 1, 1, 10),
        ([0, last], 2, 1, 2**31 - 1), ([0], 2**31 - 1, 1, 10),
    ):  # fmt: skip
        assert (
            page.call("record", host.write(np.array(places, dtype=np.intc).tobytes()), channels, every, capacity) == 0
        )
        assert page.call("start", 0.0) == END
        assert page.call("proceed", 0.1, 0.0, 1) == END
        assert page.call("rows") == 0
    assert page.record("x.y", 3, every=2) != 0
    page.call("start", 0.0)
    page.call("proceed", 1.0, 0.0, 1)
    assert page.rows()[0].tolist() == [0.0, 0.02, 0.04], "what comes when there is no more room is not recorded"


def test_what_is_closed_is_given_back(host):
    """A plan that is opened, run and closed again and again takes no more memory."""
    plan = make_plan(mission(), step=0.01)

    def use() -> int:
        address = host.write(plan.stored)
        page = Page.__new__(Page)
        page.host, page.plan, page.engine = host, plan, host.call("open", address, len(plan.stored))
        host.call("release", address)
        page.record("plant.vessel.eta", 1000)
        page.call("start", 0.0)
        page.call("proceed", 0.02, 0.0, 1)
        page.call("close")
        return len(host.memory)

    first = [use() for _ in range(5)][-1]
    assert [use() for _ in range(300)][-1] == first


def test_simulate_runs_in_it(host):
    """The adapter over the functions does what `simulate` asks of an engine."""
    clock = {"clock": Clock(), "x": Integrator()}
    here = simulate(wired(clock, ("clock.y", "x.u")), 1.234, solver="dopri5", step=0.1)
    clock = {name: block.copy() for name, block in clock.items()}
    there = in_webassembly(lambda: simulate(wired(clock, ("clock.y", "x.u")), 1.234, solver="dopri5", step=0.1))
    assert here.time.tolist() == there.time.tolist()
    assert np.array_equal(here.values("x.y"), there.values("x.y"))
