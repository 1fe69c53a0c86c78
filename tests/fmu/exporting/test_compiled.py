"""FMUs that are compiled for one model: the numbers of the ordinary ones, to the last bit, and of that model only."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import fmpy
import pytest
from busy import busy
from fmpy.validation import validate_fmu
from simulators import Doubler

import fmu
from blocks import Diagram, Scenario
from blocks.errors import ExportError
from blocks.report import add_outputs
from cython_kernels.plain_c.compilers import own_compiler

EXAMPLES = Path(__file__).parents[3] / "examples"
pytestmark = pytest.mark.skipif(not own_compiler(), reason="needs a C compiler")
KINDS = {"cs": "CoSimulation", "me": "ModelExchange"}


def subject(gain: float = 3.0) -> Diagram:
    diagram = busy(gain)
    diagram.outputs(plant="plant.y", memory="memory.y")
    return diagram


def both(component: Diagram, folder: Path, **how) -> tuple[Path, Path]:
    ordinary = fmu.export(component, folder / "ordinary.fmu", name="model", **how)
    return ordinary, fmu.export(component, folder / "compiled.fmu", name="model", compiled=True, **how)


def rows(path: Path, kind: str, **how) -> bytes:
    return fmpy.simulate_fmu(str(path), fmi_type=KINDS[kind], **how).tobytes()


@pytest.mark.parametrize(
    ("fmi", "kind"),
    [
        ("2.0", "cs"),
        pytest.param("2.0", "me", marks=pytest.mark.slow),
        pytest.param("3.0", "cs", marks=pytest.mark.slow),
        pytest.param("3.0", "me", marks=pytest.mark.slow),
    ],
)
def test_the_same_numbers(fmi: str, kind: str, tmp_path: Path) -> None:
    ordinary, compiled = both(subject(), tmp_path, step=0.01, fmi=fmi, interfaces=kind, local_variables=True)
    how = {"stop_time": 2.0, "output_interval": 0.1, "start_values": {"u": 1.0}}
    seen = [v.name for v in fmpy.read_model_description(ordinary).modelVariables if v.causality in ("local", "output")]
    assert rows(compiled, kind, output=seen, **how) == rows(ordinary, kind, output=seen, **how)
    assert validate_fmu(str(compiled)) == []


@pytest.mark.slow
def test_a_mission_with_an_adaptive_solver(tmp_path: Path) -> None:
    scenario = Scenario.load(EXAMPLES / "minerva_mission.yaml")
    add_outputs(scenario.diagram, scenario.report)
    ordinary, compiled = both(scenario.diagram, tmp_path, step=0.02, solver="dopri5", interfaces="cs")
    how = {"stop_time": 60.0, "output_interval": 0.5}
    assert rows(compiled, "cs", **how) == rows(ordinary, "cs", **how)


@pytest.mark.slow
def test_everything_but_the_binary_is_as_ever(tmp_path: Path) -> None:
    ordinary, compiled = (ZipFile(path) for path in both(subject(), tmp_path, step=0.01))
    assert set(ordinary.namelist()) >= set(compiled.namelist())
    for name in compiled.namelist():
        if not name.startswith("binaries/"):
            assert ordinary.read(name) == compiled.read(name), name


@pytest.mark.slow
def test_a_binary_opens_its_own_plan_only(tmp_path: Path) -> None:
    other = fmu.export(subject(gain=2.0), tmp_path / "other.fmu", name="model", step=0.01)
    _, compiled = both(subject(), tmp_path, step=0.01)
    changed = tmp_path / "changed.fmu"
    with ZipFile(compiled) as one, ZipFile(other) as two, ZipFile(changed, "w") as new:
        for name in one.namelist():
            new.writestr(name, two.read(name) if not name.startswith("binaries/") else one.read(name))
    messages: list[str] = []
    with pytest.raises(Exception, match="instantiate"):
        fmpy.simulate_fmu(str(changed), stop_time=0.1, logger=lambda *a: messages.append(str(a[-1])))
    assert any("this binary was compiled for another plan: both are of one FMU" in text for text in messages)


def test_what_cannot_be_compiled_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    diagram = Diagram("python")
    diagram.add("doubler", Doubler())
    diagram.inputs(u="doubler.u")
    diagram.outputs(y="doubler.y")
    with pytest.raises(ExportError, match=r"an FMU cannot be compiled: .*'doubler', which runs in Python"):
        fmu.export(diagram, tmp_path / "model.fmu", compiled=True)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(ExportError, match=r"no C compiler 'no-such-compiler'.*or leave `compiled` out"):
        fmu.export(subject(), tmp_path / "model.fmu", name="model", compiled=True)
