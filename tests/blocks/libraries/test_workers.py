"""Libraries in other processes: they get what they need, or say what they lack."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from handmade_library import build_library, write_library

from blocks import Diagram, library, simulate
from blocks.basic import Constant
from blocks.errors import SimulationError
from blocks.libraries import loading, opening
from blocks.libraries.loading import load_library
from blocks.study import Study, StudyError
from blocks.study.tasks import pickled

COUNTER = """
from blocks import Input, Output, PythonBlock
from blocks.signal import Number
from .drag import Drag

class Doubled(PythonBlock):
    '''Twice what comes in.'''
    u = Input(Number)
    y = Output(Number, feedthrough=True)

    def outputs(self, t, states, inputs):
        return {"y": 2.0 * inputs["u"]}
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    made = write_library(tmp_path, "one", 2.0)
    (made / "__init__.py").write_text(COUNTER)
    load_library("one", tmp_path)
    return made


def study_of(python: bool) -> Study:
    diagram = Diagram("drag")
    diagram.add("speed", Constant(1.0))
    diagram.add("drag", library()["one.Drag"]())
    diagram.connect("speed.y", "drag.u")
    output = "drag.force"
    if python:
        diagram.add("doubled", library()["one.Doubled"]())
        diagram.connect("drag.force", "doubled.u")
        output = "doubled.y"
    return Study(diagram, {"drag.k": [1.0, 2.0, 3.0]}, {"f": f"final({output})"}, end=0.1, step=0.1)


def test_a_library_beside_a_scenario_gets_to_worker_processes(package: Path) -> None:
    outcome = study_of(python=True).run("processes", workers=1)
    assert not outcome.reasons
    assert outcome.values("f").tolist() == [4.0, 8.0, 12.0]


def test_a_worker_says_what_it_lacks(package: Path, tmp_path: Path) -> None:
    cluster: Any = pytest.importorskip("blocks.study.cluster", exc_type=ImportError)
    study = study_of(python=False)
    content = pickled([case.program for case in study.cases])
    here = study.cases[0].plan.digests["one"]

    def told() -> str:
        """What comes back of a worker into which nothing was imported yet."""
        for name in [name for name in sys.modules if name.partition(".")[0] == "one"]:
            del sys.modules[name]
        loading._beside.clear()
        opening._open.clear()
        sys.path[:] = [place for place in sys.path if place != str(tmp_path)]
        plugin = cluster.Programs("key", content)
        plugin.setup(SimpleNamespace(address="tcp://there:1"))
        found = cluster._loaded["key"]
        plugin.teardown(None)
        return str(found) if isinstance(found, Exception) else ""

    assert told() == ""
    (package / "drag.pxd").write_text("# force = 9 k u\n")
    assert told().startswith(
        "the Dask worker tcp://there:1 cannot open one: drag.pxd of one changed since its kernels "
    )
    build_library(package, 9.0)
    there = opening.Manifest.read(package / "__keelblocks__")
    assert there is not None
    assert told() == (
        f"the Dask worker tcp://there:1 has another one: its kernels are {there.digest[:8]} ({package}), and those "
        f"here {here[:8]} ({package}); install or build the same there"
    )
    shutil.rmtree(package)
    assert told() == "the Dask worker tcp://there:1 does not have one: pip install it there"


def test_results_that_were_kept_are_not_those_of_other_kernels(package: Path, tmp_path: Path) -> None:
    study_of(python=False).run("serial", folder=tmp_path / "kept")
    (package / "drag.pxd").write_text("# force = 9 k u\n")
    build_library(package, 9.0)
    with pytest.raises(StudyError, match=r"the kernels of one differs"):
        study_of(python=False).run("serial", folder=tmp_path / "kept")


def test_a_checkpoint_is_not_taken_up_with_other_kernels(package: Path, tmp_path: Path) -> None:
    diagram = study_of(python=False).diagram
    simulate(diagram, 1.0, step=0.1, checkpoint=tmp_path / "run.checkpoint", checkpoint_interval=0.0)
    (package / "drag.pxd").write_text("# force = 9 k u\n")
    build_library(package, 9.0)
    with pytest.raises(
        SimulationError, match="another diagram, other parameters, other kernels of one or another solver"
    ):
        simulate(diagram, 1.0, step=0.1, resume=tmp_path / "run.checkpoint")
