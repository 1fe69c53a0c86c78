"""The plot that follows a run, without a screen."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

from blocks import Simulator
from blocks.diagram import Diagram
from blocks.dynamics import Vessel3DOF
from blocks.errors import SimulationError


def boat() -> Simulator:
    diagram = Diagram("boat")
    vessel = diagram.add("vessel", Vessel3DOF.diagonal(m=(100, 100, 20), d=(50, 50, 10)))
    diagram.inputs(force=vessel.force)
    return Simulator(diagram, step=0.1, inputs={"force": [50.0, 0, 0, 0, 0, 1.0]})


def test_it_shows_signals_in_a_panel_for_each_unit_and_the_track() -> None:
    """A turn: heading in degrees over the last 20 s, and the track with east to the right."""
    simulator = boat()
    plot = simulator.live_plot("vessel.eta[psi]", "vessel.nu", track="vessel.eta", window="20 s")
    simulator.run_realtime(end=60, factor=0, sinks=[plot])
    heading, speeds, rates, track = plot.figure.axes
    assert (heading.get_title("left"), heading.get_ylabel()) == ("vessel.eta[psi]", "deg")
    assert (speeds.get_ylabel(), rates.get_ylabel()) == ("m/s", "deg/s")
    assert [text.get_text() for text in speeds.get_legend().get_texts()] == ["u", "v", "w"]
    times, degrees = heading.lines[0].get_data()
    assert times[0] == pytest.approx(40.0)
    assert degrees[-1] == pytest.approx(np.degrees(float(simulator["vessel.eta[psi]"])))
    assert heading.get_xlim() == pytest.approx((40.0, 60.0))
    east, north = track.lines[1].get_data()
    assert (east[0], north[0]) == (float(simulator["vessel.eta[y]"]), float(simulator["vessel.eta[x]"]))


def test_a_long_run_is_thinned_out_and_a_reset_begins_anew() -> None:
    simulator = boat()
    plot = simulator.live_plot("vessel.eta[x]")
    simulator.run_realtime(end=1000, factor=0, sinks=[plot])
    times = np.array(plot.figure.axes[0].lines[0].get_xdata())
    assert 1000 <= len(times) <= 2000
    assert times[0] == 0.0
    assert times[-1] > 999.0
    assert np.ptp(np.diff(times)) < 1e-6
    simulator.reset()
    simulator.advance(1.0)
    plot.update()
    assert list(plot.figure.axes[0].lines[0].get_xdata()) == [1.0]


def test_in_a_notebook_it_is_shown_in_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """As IPython has it: one display with an identity, and updates of it, as pictures."""
    shown: list[bytes] = []

    class Handle:
        update = staticmethod(shown.append)

    def display(picture: bytes, display_id: bool) -> Handle:
        assert display_id
        shown.append(picture)
        return Handle()

    module = types.ModuleType("IPython.display")
    module.Image, module.display = bytes, display  # type: ignore[attr-defined]
    for name in ("ipykernel", "IPython"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    for name, value in (("get_ipython", lambda: None), ("version_info", (9, 0))):  # what pyplot asks of it
        monkeypatch.setattr(sys.modules["IPython"], name, value, raising=False)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    simulator = boat()
    simulator.run_realtime(end=1, factor=0, sinks=[simulator.live_plot("vessel.eta[x]", size=(3, 2))])
    assert len(shown) >= 2  # empty, perhaps some on the way, the last
    assert all(picture.startswith(b"\x89PNG") for picture in shown)
    assert shown[0] != shown[-1]


def test_names_and_windows_that_cannot_be() -> None:
    simulator = boat()
    for arguments, options, message in (
        (("vessel.eta[phsi]",), {}, "vessel.eta has no element 'phsi'"),
        (
            (),
            {"track": "vessel.eta[x]"},
            "track: a pose or a position, north and east first, is wanted, not 'vessel.eta[x]'",
        ),
        ((), {"window": "-3 s"}, "window must be > 0 s, not '-3 s'"),
    ):
        with pytest.raises(SimulationError) as caught:
            simulator.live_plot(*arguments, **options)
        assert message in str(caught.value)
    plot = boat().live_plot()
    with pytest.raises(SimulationError, match="this plot follows another simulator"):
        simulator.run_realtime(end=1, factor=0, sinks=[plot])
