"""What results show of themselves: plots by name, pattern and scope, the page of a mission, the summary, HTML."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from blocks import Diagram, Result, simulate
from blocks.basic import FirstOrderLag, Gain, Scope, Sine, Step
from blocks.binary.netcdf import write_netcdf
from blocks.dynamics import Vessel3DOF
from blocks.errors import ParameterError, WiringError
from blocks.report import of_result
from blocks.run.result import ResultError
from blocks.scenario import Scenario

PUSHED = {"force": [50.0, 0.0, 0.0, 0.0, 0.0, 5.0]}
OTTER = Path(__file__).parents[3] / "examples" / "otter_los.yaml"


@pytest.fixture(scope="module")
def result() -> Result:
    return Scenario.load(OTTER).run(end=120)


def test_signals_named_in_full_share_a_panel_for_each_unit(result: Result) -> None:
    figure = result.plot("guidance.heading", "vessel.eta[psi]", "vessel.eta[x]", since="30 s", until=60)
    turned, far = figure.axes
    assert (turned.get_ylabel(), far.get_ylabel()) == ("°", "m")
    first, second = turned.get_lines()
    assert [line.get_label() for line in (first, second)] == ["guidance.heading", "vessel.eta[psi]"]
    shown = (result.time >= 30.0) & (result.time <= 60.0)
    np.testing.assert_allclose(second.get_ydata(), np.degrees(result.values("vessel.eta[psi]")[shown]))
    assert turned.get_xlim() == (result.time[shown][0], result.time[shown][-1])


def test_patterns_and_blocks_have_a_panel_for_each_quantity_and_unit(result: Result) -> None:
    by_pattern = [ax.get_title("left") for ax in result.plot("vessel.n*").axes]
    assert by_pattern == ["vessel.nu", "vessel.nu[r]", "vessel.nu_r", "vessel.nu_r[r]"]
    assert "vessel.eta" in [ax.get_title("left") for ax in result.plot("vessel").axes]
    (one,) = result.plot("*essel.nu[u]").axes
    assert one.get_title("left") == "vessel.nu[u]"


def test_what_cannot_be_plotted_is_said(result: Result) -> None:
    with pytest.raises(ResultError, match=r"'vessel.etta' was not recorded; did you mean 'vessel.eta'"):
        result.plot("vessel.etta")
    with pytest.raises(ResultError, match=r"nothing that was recorded is called 'hull\*'"):
        result.plot("hull*")
    for wrong in (3, [], ""):
        with pytest.raises(ResultError, match=r"names of signals, such as 'vessel.eta' .* lists of names, not "):
            result.plot(wrong)  # type: ignore[arg-type]
    with pytest.raises(ResultError, match=r"'psi' was not recorded; did you mean 'vessel.eta\[psi\]'"):
        result.plot("psi")
    with pytest.raises(ResultError, match=r"nothing that 'vessel\.n\*' finds has an element 'psi'; valid: p, q, r"):
        result.plot("vessel.n*[psi]")
    with pytest.raises(ResultError, match="there are 0 from since to until: the result goes from 0 to 120 s"):
        result.plot("vessel.eta", since="10 min")


@pytest.mark.filterwarnings("error")
def test_points_that_are_no_numbers_are_left_out(result: Result) -> None:
    broken = copy.copy(result)
    broken._table = result._table.copy()
    broken._table[len(result) // 2 :] = np.nan
    shown = broken.mission()
    assert shown.axes[1].get_xlim()[1] == pytest.approx(60.0, abs=1.0)
    assert "arrived" in broken.summary()
    assert {"vessel.eta", "vessel.nu"} <= {ax.get_title("left") for ax in broken.plot().axes}


def test_the_summary_is_that_of_the_scenario(result: Result) -> None:
    lines = result.summary().splitlines()
    assert lines[0].startswith("Otter USV")
    assert lines[1].split() == ["arrived", "no"]
    assert not any("depth" in line for line in lines)


def test_a_mission_is_drawn_without_its_scenario() -> None:
    scenario = Scenario.load(OTTER)
    alone = simulate(scenario.diagram, 60.0, step=0.05)
    titles = [ax.get_title("left").partition(",")[0] for ax in alone.mission().axes]
    assert titles == ["Plan view", "Heading", "Speed", "Cross-track error", "Thrusters", "Thruster power"]
    assert alone.mission("A title")._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    elsewhere = pickle.loads(pickle.dumps(alone))
    assert elsewhere.summary().splitlines()[0].split() == ["run", "complete"]
    with pytest.raises(ResultError, match="does not say what ran"):
        elsewhere.mission()
    with pytest.raises(ResultError, match="has no mission to draw"):
        simulate(Sine(), 1.0).mission()


def scoped() -> Diagram:
    diagram = Diagram("scoped")
    step, lag = diagram.add("step", Step(time=1.0, after=2.0)), diagram.add("lag", FirstOrderLag(time_constant=1.0))
    vessel = diagram.add("vessel", Vessel3DOF.from_vehicle("otter"))
    loop = diagram.add("loop", Scope(together=True, labels=["wanted", "reached"], limits=[-1, 3]))
    way = diagram.add("way", Scope(title="On the way"))
    diagram.connect(step.y, lag.u, loop.in1)
    diagram.connect(lag.y, loop.in2)
    diagram.connect(vessel.eta, way.in1)
    diagram.connect(vessel.nu["r"], way.in2)
    diagram.inputs(force="vessel.force")
    return diagram


def test_scopes_are_recorded_and_drawn_whatever_is_recorded() -> None:
    diagram = scoped()
    run = simulate(diagram, 5.0, inputs=PUSHED, record="lag.y")
    assert list(run) == ["lag.y", "loop.y", "way.y"]
    np.testing.assert_array_equal(run.values("loop.y")[:, 1], run.values("lag.y"))
    (ax,) = run.plot("loop").axes
    assert [line.get_label() for line in ax.get_lines()] == ["wanted", "reached"]
    assert ax.get_ylim() == (-1.0, 3.0)
    shown = [(ax.get_title("left"), ax.get_ylabel()) for ax in run.plot("way").axes]
    assert shown == [("vessel.eta", "m"), ("vessel.eta", "°"), ("vessel.nu[r]", "°/s")]
    assert len(run.plot().axes) == 4
    assert list(simulate(diagram, 1.0, inputs=PUSHED, record=[])) == []


def test_a_scope_computes_nothing_where_signals_can_stand_in_it() -> None:
    diagram = Diagram("waves")
    sine, twice, lag = (
        diagram.add("sine", Sine()),
        diagram.add("twice", Gain(2.0)),
        diagram.add("lag", FirstOrderLag(1.0)),
    )
    scope, copying = diagram.add("scope", Scope([1, 1])), diagram.add("copying", Scope())
    diagram.connect(sine.y, twice.u, lag.u, scope.in1)
    diagram.connect(twice.y, scope.in2)
    diagram.connect(lag.y, copying.in1)
    run = simulate(diagram, 1.0)
    np.testing.assert_array_equal(run.values("scope.y")[:, 1], 2.0 * run.values("sine.y"))
    called = [call.leaf.name for call in run.ran.plan.majors]  # type: ignore[union-attr]
    assert called == ["sine", "twice", "copying"]  # the last copies a state, which stands where states do


def test_a_scope_has_the_inputs_that_are_connected() -> None:
    diagram = Diagram("waves")
    wide, sine = diagram.add("wide", Step(after=[1.0, 2.0, 3.0])), diagram.add("sine", Sine())
    inner, scope = diagram.add("inner", Diagram("inner")), diagram.add("scope", Scope(labels=["a", "b", "c"]))
    seen = inner.add("seen", Scope([0, 1]))
    inner.inputs(wide=seen.in1, sine=seen.in2)
    diagram.connect(wide.y, inner.wide, scope.in1)
    diagram.connect(sine.y, inner.sine)
    with pytest.raises(WiringError, match=r"did you mean connect\(sine.y, scope.in2\)"):
        diagram.connect(sine, scope)
    diagram.connect(sine.y, scope.in3)
    with pytest.raises(WiringError, match=r"scope.in2 .* is not connected"):
        simulate(diagram, 1.0)
    diagram.connect(wide.y[0:2], scope.in2)
    run = simulate(diagram.copy(), 1.0)
    assert run.values("inner.seen.y").shape == (101, 4)
    np.testing.assert_array_equal(run.values("scope.y")[:, 5], run.values("sine.y"))
    assert [len(ax.get_lines()) for ax in run.plot("scope").axes] == [3, 2, 1]
    scope.set(labels=["a", "b"])
    with pytest.raises(ParameterError, match="labels has 2 names: give 3, one for each input, or 6, one for each elem"):
        simulate(diagram, 1.0)


def test_what_does_not_fit_a_scope_is_refused() -> None:
    with pytest.raises(
        ParameterError, match="labels has 3 names: give 2, one for each input, or 4, one for each element"
    ):
        Scope([1, 3], labels=["a", "b", "c"])
    with pytest.raises(ParameterError, match=r"such as \[1, 3\], not the single number 2; without it inputs take what"):
        Scope(2)
    with pytest.raises(ParameterError, match="the first must be below the second, not 3 and -3"):
        Scope([1], limits=[3.0, -3.0])


def test_notebooks_show_text_of_users_as_text(result: Result) -> None:
    diagram = Diagram("d", title="<script>")
    diagram.add("sine", Sine())
    for html in (of_result.html(simulate(diagram, 1.0)), diagram._repr_html_(), diagram["sine"]._repr_html_()):
        assert "<script>" not in html
    shown = result._repr_html_()
    assert "Otter USV" in shown
    assert "<polyline" in shown
    assert "mass" in Vessel3DOF.from_vehicle("otter")._repr_html_()


def test_keys_are_completed(result: Result) -> None:
    assert {"vessel.eta", "vessel.eta[psi]"} <= set(result._ipython_key_completions_())
    scenario = Scenario.load(OTTER)
    assert "vessel" in scenario.diagram._ipython_key_completions_()
    assert scenario.diagram["vessel"].port("eta")._ipython_key_completions_()[-1] == "psi"
    assert "vessel.nu[u]" in scenario.simulator()._ipython_key_completions_()


def test_a_result_is_saved_as_xarray_would(result: Result, tmp_path: Path) -> None:
    part = simulate(scoped(), 0.5, inputs=PUSHED, record=["lag.y", "vessel.eta", "vessel.nu"])
    for one, name in ((result, "result"), (part, "part")):
        one.save(tmp_path / f"{name}.nc")
        write_netcdf(one.dataset, tmp_path / f"{name}_by_xarray.nc")
        own, other = (xr.open_dataset(tmp_path / f"{name}{how}.nc", engine="h5netcdf") for how in ("", "_by_xarray"))
        xr.testing.assert_identical(own, other)
        assert all(own[k].encoding["_FillValue"] is not None for k in own.data_vars)


def test_a_result_that_was_saved_shows_itself_as_it_did(result: Result, tmp_path: Path) -> None:
    loaded = Result.load(result.save(tmp_path / "run.nc"))
    assert loaded.summary().splitlines()[0].split() == ["run", "complete"]
    (ax,) = loaded.plot("guidance.heading", "vessel.eta[psi]").axes
    assert (ax.get_ylabel(), loaded.labels("vessel.nu")) == ("°", result.labels("vessel.nu"))
    with pytest.raises(ResultError, match=r"from a file: Result.load\(.*run.nc', scenario='scenario.yaml'\)"):
        loaded.mission()
    told = Result.load(tmp_path / "run.nc", scenario=OTTER)
    assert told.summary() == result.summary()
    assert [ax.get_title("left") for ax in told.mission().axes] == [
        ax.get_title("left") for ax in result.mission().axes
    ]
    with pytest.raises(ResultError, match=r"not a result of the scenario minerva_los, which has no output 'current"):
        Result.load(tmp_path / "run.nc", scenario=OTTER.with_name("minerva_los.yaml"))
