"""Pages of studies and comparisons: their members run again to the last bit, their table, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from page_parts import data_of

from blocks.cli.commands import cli
from blocks.errors import ScenarioError
from blocks.model.declare import Input, Output
from blocks.python_block import PythonBlock
from blocks.run.result import Result
from blocks.study.file import StudyDocument
from fmu.runtime.webassembly.engine import Engine, Host
from studio import cases, many
from studio.errors import ShareError
from studio.many import Many
from studio.thinning import coded, thinned

pytestmark = pytest.mark.usefixtures("pages_can_be_made")

EXAMPLES = Path(__file__).parents[2] / "examples"

SCENARIO = """\
keelblocks: 1
name: lag
diagram:
  blocks:
    gain: {type: basic.Gain, parameters: {gain: 2}}
    lag: {type: basic.FirstOrderLag, parameters: {time_constant: 1 s}}
    turn: {type: basic.Formula, inputs: {u: "1"}, outputs: {y: 1/u}}
    noise: {type: basic.UniformNoise, parameters: {period: 0.1}}
  inputs: {u: gain.u, v: turn.u}
  connections: {gain.y: lag.u}
run: {step: 0.01, end: 2, inputs: {u: {times: [0, 1], values: [0, 3]}, v: 4}}
"""
STUDY = """\
keelblocks_study: 1
name: lags
title: "Lags & <gains>"
scenario: lag.yaml
parameters: {noise.upper: 3}
factors:
  v: [0, 0.5]
  model:
    levels:
      as it is: {}
      twice: {gain: {type: basic.Gain, parameters: {gain: 4}}}
      integral: {lag: {type: basic.Integrator}}
metrics:
  y: final(lag.y)
  noise: greatest(noise.y)
  inverse: final(turn.y)
replicates: 2
seeds: noise.seed
"""
SURVEY = f"""\
keelblocks_comparison: 1
name: currents
scenario: {EXAMPLES / "minerva_los.yaml"}
run: {{end: 20, step: 0.02}}
factors:
  current:
    levels:
      slack: {{plant.current.speed: 0}}
      to the north: {{plant.current.speed: 0.2, plant.current.direction: 0}}
  gain: {{of: autopilot.heading.kd, levels: [10, 20]}}
  lookahead: {{of: autopilot.guidance.lookahead, uniform: [2, 6]}}
metrics:
  error: rms(autopilot.guidance.cross_track_error)
  depth: final(plant.vessel.eta[z])
design: {{sobol: 2}}
show: {{compare: gain}}
best: {{depth: greatest}}
"""


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("lag.yaml").write_text(SCENARIO)
    Path("lags.yaml").write_text(STUDY)
    Path("currents.yaml").write_text(SURVEY)


def lags(*vary: str, **changes: object) -> Many:
    return Many.load(Path("lags.yaml"), "keelblocks_study", changes, vary)


def currents() -> Many:
    return Many.load(Path("currents.yaml"), "keelblocks_comparison", {})


def in_webassembly(made: Many, member: dict, expected: Result) -> list[str]:
    """What of a member's run differs in any bit, in the engine of the page, with what the page writes."""
    model, plan = made.cases.models[member["model"]], made.cases.subjects[member["model"]].plan
    engine = Engine(plan.stored, host=Host(made.engine))
    given = [one for one in model["parameters"] if one["kind"] == "input"]
    inputs = [(one["first"] + i, value) for one in given for i, value in enumerate(one["values"])]
    for place, value in inputs + member["writes"]:
        engine.values[place] = value
    engine.parameters_changed()
    names = [one for one in model["channels"] if one["path"] in expected.places]
    places = np.array([one["first"] + i for one in names for i in range(one["count"])], dtype=np.intc)
    time, table = np.empty(len(expected.time) + 3), np.empty((len(expected.time) + 3, len(places)))
    engine.record(places, 1, time, table)
    engine.start(plan.settings.start)
    engine.proceed(plan.settings.end, closed=True)
    rows = engine.rows
    found = [] if time[:rows].tobytes() == expected.time.tobytes() else ["time"]
    column = 0
    for one in names:
        own = np.ascontiguousarray(table[:rows, column : column + one["count"]])
        found += [one["path"]] if own.tobytes() != np.ascontiguousarray(expected.values(one["path"])).tobytes() else []
        column += one["count"]
    assert set(expected.places) == {one["path"] for one in names}
    return found


@pytest.mark.parametrize("load", [lags, currents])
def test_every_member_runs_as_on_a_desk(load):
    made = load()
    page = data_of(made.page(made.study.run("serial")))
    for member in page["study"]["members"]:
        if member["status"] != "failed":
            assert in_webassembly(made, member, made.study.simulate(member["number"])) == []


def test_plans_that_differ_in_numbers_are_one_model():
    made = lags()
    assert (len(made.study.cases), len(made.cases.models)) == (3, 2)
    page = data_of(made.page(made.study.run("serial")))
    twice = next(one for one in page["study"]["members"] if one["cells"][1] == "twice")
    gain = next(one for one in page["models"][0]["parameters"] if one["path"] == "gain.gain")
    assert twice["model"] == 0
    assert [gain["first"], 4] in twice["writes"]


def test_the_table_is_that_of_the_study():
    made = lags()
    outcome = made.study.run("serial")
    study = data_of(made.page(outcome))["study"]
    table = outcome.table
    names = [column["name"] for column in study["columns"]]
    assert names == ["v", "model", "replicate", "y", "noise", "inverse", "end_time"]
    for member, status, reason in zip(study["members"], table["status"], table["reason"], strict=True):
        assert (member["status"], member["reason"]) == (status, reason)
        for column, cell in zip(study["columns"], member["cells"], strict=True):
            there = table[column["name"]][member["number"]]
            if isinstance(there, str):
                assert cell == there
            elif np.isnan(there):
                assert cell is None
            else:
                assert cell == pytest.approx(there, rel=1e-6)
    failed = [one for one in study["members"] if one["status"] == "failed"]
    assert len(failed) == 6
    assert all("turn" in one["reason"] and one["cells"][3] is None for one in failed)


def test_a_comparison_has_tracks_colours_and_what_is_best():
    made = currents()
    outcome = made.study.run("serial")
    page = data_of(made.page(outcome))
    study = page["study"]
    assert study["columns"][study["compare"]]["name"] == "gain"
    assert {c["name"]: c.get("best") for c in study["columns"] if c["kind"] == "metric"} == {
        "error": None, "depth": "greatest", "end_time": None,
    }  # fmt: skip
    assert len(page["models"]) == 1
    for member in study["members"]:
        track = np.cumsum(np.reshape(member["track"], (-1, 2)), axis=0) / 100.0
        eta = made.study.simulate(member["number"]).values("plant.vessel.eta")
        assert 2 <= len(track) <= 150
        np.testing.assert_allclose(track[[0, -1]], eta[[0, -1], :2], atol=0.006)
        assert all(np.min(np.linalg.norm(eta[:, :2] - point, axis=1)) < 0.02 for point in track)
    sliders = [page["models"][0]["parameters"][one["parameter"]]["path"] for one in page["sliders"]]
    assert sliders[:4] == [
        "plant.current.speed", "plant.current.direction", "autopilot.guidance.lookahead", "autopilot.heading.kd",
    ]  # fmt: skip


def test_settings_and_sliders_that_are_asked_for():
    made = lags("lag.time_constant=0.5:2", end=1.0, step="20 ms")
    page = data_of(made.page(made.study.run("serial")))
    assert (page["models"][0]["end"], page["models"][0]["step"]) == (1.0, 0.02)
    assert [(one["low"], one["high"]) for one in page["sliders"]] == [(0.5, 2.0)]
    assert page["command"] == "keelblocks study member lags.yaml --end=1.0 '--step=20 ms'"
    assert page["title"] == "Lags & <gains>"


def test_a_member_of_a_comparison_is_a_scenario_too():
    result = CliRunner().invoke(cli, ["study", "member", "currents.yaml", "3", "-o", "own.yaml"])
    assert result.exit_code == 0, result.output
    from blocks.scenario import Scenario

    expected = currents().study.simulate(3, every=1)
    run = Scenario.load("own.yaml").run(every=1)
    assert run.values("plant.vessel.eta").tobytes() == expected.values("plant.vessel.eta").tobytes()


def test_thinned_paths_are_near_and_short():
    angle = np.linspace(0.0, 2.0 * np.pi, 2000)
    circle = 10.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    few = thinned(circle, 150, 0.01)
    assert len(few) < 150
    assert abs(np.linalg.norm((few[1:] + few[:-1]) / 2.0, axis=1) - 10.0).max() < 0.011
    assert len(thinned(circle, 20, 0.0)) == 20
    assert len(thinned(np.zeros((5, 2)), 150, 0.01)) == 2
    np.testing.assert_array_equal(np.cumsum(np.reshape(coded(few), (-1, 2)), axis=0), np.rint(100.0 * few))


# --- what is refused -------------------------------------------------------------------------------------------------


class Doubled(PythonBlock):
    """Twice what comes in."""

    u = Input()
    y = Output()

    def compute_outputs(self, t: float) -> None:
        self.y[:] = 2.0 * np.asarray(self.u)


def test_a_block_in_python_is_refused_before_anything_runs():
    file = StudyDocument.load("lags.yaml")
    file.scenario.diagram.add("double", Doubled())
    file.scenario.diagram.connect("gain.y", "double.u")
    with pytest.raises(ShareError, match="'double' is written in Python"):
        Many(file, file.study(), None, "")


@pytest.mark.parametrize(
    ("where", "most", "said"),
    [
        (many, "MOST_MEMBERS=11", "12 members, .* takes 11: take fewer levels"),
        (cases, "MOST_PLANS=2", "3 plans, .* takes 2: take fewer levels of 'model'"),
        (cases, "MOST_MODELS=1", "2 models .* holds 1 of .*: take fewer levels of 'model'"),
        (cases, "MOST_BYTES=9000", "2 models .* holds 40 of .*: take fewer levels of 'model'"),
    ],
)
def test_too_many(monkeypatch, where, most, said):
    name, _, number = most.partition("=")
    monkeypatch.setattr(where, name, int(number))
    with pytest.raises(ShareError, match=said):
        lags()


def test_wrong_names_in_what_a_comparison_shows_have_their_line():
    Path("currents.yaml").write_text(SURVEY.replace("compare: gain", "compare: gains"))
    with pytest.raises(ScenarioError, match=r"currents.yaml:16: .*no factor 'gains'.*did you mean 'gain'"):
        currents()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "gain.gain=3"], "--set changes a scenario; in a study, put it under `parameters`"),
        (["--with-yaml"], "--with-yaml is for scenarios: `keelblocks study member` writes that of a member"),
        (["--start", "1"], "--start is for scenarios"),
        (["--vary", "gain.size=1:2"], "there is no such parameter"),
        (["--solver", "BDF"], "SciPy's, which a browser does not run"),
    ],
)
def test_options_that_do_not_fit(arguments, said):
    result = CliRunner().invoke(cli, ["share", "lags.yaml", *arguments])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not Path("lags.html").exists()


def test_the_command_runs_a_study_and_writes_its_page():
    result = CliRunner().invoke(cli, ["share", "currents.yaml", "--workers", "2", "--folder", "kept", "--json"])
    assert result.exit_code == 0, result.output
    said = json.loads(result.output)
    assert (said["name"], said["file"]) == ("currents", "currents.html")
    assert said["bytes"] == Path("currents.html").stat().st_size
    assert Path("kept").is_dir()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("-o", "page.txt"), "let its name end in .html"),
        (("-o", "taken.html"), "is a folder; name a file in it"),
        (("-o", "lag.yaml/page.html"), "cannot write results to lag.yaml"),
        (("--vary", "lag.time_constnat=0:1"), "did you mean 'lag.time_constant'"),
    ],
)
def test_what_is_wrong_is_told_before_a_member_is_run(arguments, text):
    Path("taken.html").mkdir()
    result = CliRunner().invoke(cli, ["share", "lags.yaml", "--folder", "kept", *arguments])
    assert result.exit_code == 2
    assert text in result.stderr
    assert not Path("kept").exists()


# --- in a browser ----------------------------------------------------------------------------------------------------


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """The page of the comparison."""
    made = currents()
    (tmp_path / "page.html").write_text(made.page(made.study.run("serial")))
    return tmp_path / "page.html"


@pytest.mark.slow
def test_a_click_runs_a_member_again(opened, page):
    tab, study = opened(page), currents().study
    every = {"every": 5}
    assert tab.rows().differing(study.simulate(0, **every)) == []
    tab.page.locator("tr[data-member='6'] td").first.click()
    assert tab.rows().differing(study.simulate(6, **every)) == []
    tab.button("Show member 3").press("Enter")
    assert tab.rows().differing(study.simulate(3, **every)) == []
    assert tab.page.locator("tr[aria-current]").get_attribute("data-member") == "3"


@pytest.mark.slow
def test_a_link_names_the_member_and_what_was_kept(opened, page):
    tab = opened(page)
    tab.page.locator("tr[data-member='6'] td").first.click()
    tab.rows()
    tab.button("Keep this run").click()
    tab.page.locator("tr[data-member='5'] td").first.click()
    tab.give("autopilot.heading.kd", "15")
    tab.rows()
    link = tab.copied("Copy link").partition("#")[2]
    other = opened(page, link)
    assert other.rows().table.tobytes() == tab.rows().table.tobytes()
    names = [text.strip("×\n ") for text in other.names.all_inner_texts()]
    assert names[0].startswith("member 5: to the north, gain 10, lookahead ")
    assert names[0].endswith("heading.kd 15")
    assert names[1].startswith("member 6: to the north, gain 20, ")
    assert "keelblocks study member currents.yaml 5 --output currents_5.yaml" in other.copied("Copy command")


@pytest.mark.slow
def test_the_table_sorts_and_filters_by_keyboard(opened, page):
    tab = opened(page)
    head = tab.page.get_by_role("columnheader", name="depth")
    tab.button("depth").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    depths = [float(text.split()[0]) for text in tab.page.locator(".members tbody td:nth-child(6)").all_inner_texts()]
    assert depths == sorted(depths)
    tab.button("depth").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    tab.page.get_by_label("Show members with this text only").fill("north 20")
    tab.page.locator(".study-panel [role=status]", has_text=re.compile(r"^\d of 8 members")).wait_for()
    rows = tab.page.locator(".members tbody tr")
    assert all("to the north" in text for text in rows.all_inner_texts())
    first = rows.first.get_by_role("button")
    first.focus()
    first.press("ArrowDown")
    second = rows.nth(1).get_attribute("data-member")
    tab.page.keyboard.press("Enter")
    assert tab.page.locator("tr[aria-current]").get_attribute("data-member") == second


@pytest.mark.slow
def test_an_unknown_member_is_told(opened, page):
    tab = opened(page, "member=99&run=@77;x:1")
    assert tab.page.locator("tr[aria-current]").get_attribute("data-member") == "0"
    said = tab.page.locator(".actions .said")
    said.wait_for()
    assert "member=99" in said.inner_text()
    assert "@77" in said.inner_text()
