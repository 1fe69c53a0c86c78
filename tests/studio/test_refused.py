"""What cannot be a page is named, with the way out; a page is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from page_parts import data_of

from blocks import Diagram, PythonBlock, Simulator, Swarm, simulate
from blocks.basic import Gain, Saturation, Step
from blocks.errors import KeelblocksError
from blocks.model.declare import Input, Output
from blocks.run.result import ResultError
from blocks.scenario import Scenario
from studio import ShareError, Vary, page_of, share

pytestmark = pytest.mark.usefixtures("pages_can_be_made")

EXAMPLES = Path(__file__).parents[2] / "examples"


class Doubled(PythonBlock):
    """Twice what comes in."""

    u = Input()
    y = Output()

    def compute_outputs(self, t: float) -> None:
        self.y[:] = 2.0 * np.asarray(self.u)


def small(**settings: object) -> Scenario:
    diagram = Diagram("small")
    diagram.add("step", Step(after=1.0))
    diagram.add("gain", Gain(gain=2.0))
    diagram.connect("step.y", "gain.u")
    return Scenario(diagram, settings={"step": 0.1, "end": 1.0, **settings})


def refused(what: object, **how: object) -> str:
    with pytest.raises(ShareError) as caught:
        page_of(what, **how)  # type: ignore[arg-type]
    return str(caught.value)


def test_a_block_in_python():
    scenario = small()
    scenario.diagram.add("twice", Doubled())
    scenario.diagram.connect("gain.y", "twice.u")
    text = refused(scenario)
    assert "the block 'twice' is written in Python" in text
    assert "as a Formula" in text


def test_a_foreign_fmu(tmp_path):
    import fmu

    fmu.export(Gain(gain=2.0), tmp_path / "small.fmu", step=0.1)
    scenario = Scenario(Diagram("outer"), settings={"step": 0.1, "end": 1.0})
    scenario.diagram.add("part", fmu.FmuBlock(tmp_path / "small.fmu", communication_step=0.1))
    text = refused(scenario)
    assert "the block 'part' is an FMU from elsewhere" in text
    assert ".nc" in text


def test_a_solver_of_scipy():
    text = refused(small(solver="LSODA"))
    assert "the solver LSODA is SciPy's" in text
    assert "rk4, dopri5" in text


def test_all_reasons_at_once():
    scenario = small(solver="BDF")
    scenario.diagram.add("twice", Doubled())
    scenario.diagram.connect("gain.y", "twice.u")
    text = refused(scenario)
    assert "'twice'" in text
    assert "BDF" in text


@pytest.mark.parametrize("end", [None, "inf", float("inf")])
def test_a_run_without_an_end(end):
    assert "say when the run ends" in refused(small(end=end))


def test_a_study_is_for_the_command():
    assert "`keelblocks share" in refused(EXAMPLES / "studies" / "minerva_currents.yaml")


def test_what_is_nothing_that_runs():
    assert "a scenario, its path, or the result of a run is wanted, not int" in refused(3)


def test_a_swarm():
    swarm = Swarm(small().diagram, 3)
    assert "swarms have no page in this version" in refused(swarm)
    assert "swarms have no page in this version" in refused(swarm.run(1.0, step=0.1))


@pytest.mark.parametrize(
    ("vary", "text"),
    [
        ("gain.gian=0:1", "did you mean 'gain.gain'"),
        ("gain.gain=1:0", "the range must go upwards, and goes from 1 to 0"),
        ("gain.gain=1", "write it as PATH=LO:HI"),
        ("gain.gain=1:", "write it as PATH=LO:HI"),
        ("=0:1", "write it as PATH=LO:HI"),
        ("gain.gain=0:inf", "two finite ends"),
        ("gain.gain[3]=0:1", "there is no element '3'"),
        ("gain.gain[0=0:1", "an element is named in brackets"),
        ("step.time=0 m:1 m", "'0 m'"),
        ("step.time=x:1", "'x'"),
    ],
)
def test_a_slider_that_cannot_be(vary, text):
    assert text in refused(small(), vary=[vary])


def test_waypoints_have_the_elements_that_there_are_and_not_the_room_for_more():
    text = refused(Scenario.load(EXAMPLES / "minerva_los.yaml"), vary=["autopilot.guidance.waypoints[12]=0:1"])
    assert "there is no element '12'" in text


def test_the_last_of_equal_sliders_holds():
    page = page_of(small(), vary=["gain.gain=0:1", "gain.gain=0:7"])
    assert page.count('"low":0.0,"high":7.0') == 1
    assert '"low":0.0,"high":1.0' not in page


def test_what_has_no_limit_gets_no_slider():
    scenario = small()
    scenario.diagram.add("bounded", Saturation())
    scenario.diagram.connect("gain.y", "bounded.u")
    page = data_of(page_of(scenario))
    paths = [page["models"][0]["parameters"][one["parameter"]]["path"] for one in page["sliders"]]
    assert "gain.gain" in paths
    assert not {"bounded.lower", "bounded.upper"} & set(paths)


def test_a_slider_beyond_the_limits():
    text = refused(Scenario.load(EXAMPLES / "minerva_los.yaml"), vary=["autopilot.guidance.lookahead=-1:2"])
    assert "-1 is no value that it can have: it must be > 0" in text


def test_a_slider_of_what_decides_the_structure():
    text = refused(Scenario.load(EXAMPLES / "minerva_los.yaml"), vary=["autopilot.guidance.sideslip_compensation=0:1"])
    assert "decides the structure" in text
    assert "--set" in text


def test_units_of_a_slider():
    page = page_of(small(), vary=["step.time=0 s:0.5 min", Vary("gain.gain", -1.0, 1.0)])
    assert '"low":0.0,"high":30.0' in page
    assert '"low":-1.0,"high":1.0' in page


@pytest.mark.parametrize("ends", [(1.0, None), (None, "2")])
def test_a_range_with_one_end(ends):
    assert "gain.gain: a range has two ends; give both, or none" in refused(small(), vary=[Vary("gain.gain", *ends)])


def test_a_file_that_is_no_page(tmp_path):
    with pytest.raises(ShareError, match=r"let its name end in \.html"):
        share(small(), tmp_path / "page.txt")


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ShareError, match="cannot write"):
        share(small(), tmp_path / "taken" / "page.html")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


# --- results ----------------------------------------------------------------------------------------------------------


def test_the_page_of_a_result(tmp_path):
    diagram = small().diagram
    path = simulate(diagram, 1.0, step=0.1).save(tmp_path / "run.html")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert '"path":"gain.gain"' in text


def test_a_result_keeps_what_ran_though_its_diagram_changes_its_numbers(tmp_path):
    diagram = small().diagram
    result = simulate(diagram, 1.0, step=0.1)
    diagram["gain"].gain = 5.0  # type: ignore[attr-defined]
    assert '"values":[2.0]' in page_of(result).partition('"path":"gain.gain"')[2][:200]
    result.save(tmp_path / "run.html")


def test_a_diagram_that_has_become_another(tmp_path):
    diagram = small().diagram
    result = simulate(diagram, 1.0, step=0.1)
    diagram.add("more", Gain(gain=1.0))
    with pytest.raises(ResultError, match="changed after it ran: run it again"):
        result.save(tmp_path / "run.html")


def test_the_result_of_a_simulator(tmp_path):
    with Simulator(small().diagram, step=0.1) as simulator:
        simulator.advance(0.5)
        with pytest.raises(ResultError, match="of a Simulator"):
            simulator.result().save(tmp_path / "run.html")
    assert not (tmp_path / "run.html").exists()


def test_a_result_has_no_yaml_of_its_own():
    with pytest.raises(KeelblocksError, match="share the scenario's file with --with-yaml"):
        page_of(simulate(small().diagram, 1.0, step=0.1), with_yaml=True)
