"""The plans that are run: examples as they stand, and a loop with its matrices A, B, C and D."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import sea
from benchmarks.same_bits.job import Job
from blocks import Diagram
from blocks.basic import Constant
from blocks.environment import MooringDynamics
from blocks.lab.analysis.elements import elements_of
from blocks.lab.analysis.linearization import FINE
from blocks.plan import Plan, make_plan
from blocks.run.recording import Recording
from blocks.scenario import Scenario

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def cases() -> dict[str, Callable[[], Job]]:
    """What makes the job of each case."""
    return {
        "Minerva LOS": lambda: _scenario("minerva_los.yaml"),
        "Minerva survey": lambda: _scenario("minerva_survey.yaml"),
        "SMARTY in waves": _smarty,
        "Otter, dopri5": lambda: _scenario("otter_los.yaml", solver="dopri5"),
        "Tito Neri": _tito_neri,
        "Tanker's zigzag": lambda: _scenario("tanker_turns.yaml", end=300.0),
        "Mariner's zigzag, dopri5": lambda: _scenario("mariner_zigzag.yaml"),
        "Barge on chains": _barge,
        "A, B, C, D of a loop": _matrices,
    }


def job_of(name: str, plan: Plan, every: int = 1, end: float | None = None) -> Job:
    """A run of a plan with all outputs recorded."""
    settings = plan.settings
    places = Recording(plan, None, every).indices
    return Job(name, plan.stored, settings.start, settings.end if end is None else end, settings.step, every, places)


def matrices_of(name: str, plan: Plan, end: float) -> Job:
    """A run of a plan, and the differences that A, B, C and D about its end are made of: wide ones and narrow ones."""
    states = [one for place in plan.states.values() if not place.discrete for one in elements_of(place)]
    knowns = [*states, *(one for place in plan.inputs.values() for one in elements_of(place))]
    outputs = [one.place for place in plan.external_outputs.values() for one in elements_of(place)]
    unknowns = [*(one.place + plan.derivative_offset for one in states), *outputs]
    scales = np.array([one.nominal for one in knowns])
    job = job_of(name, plan, end=end)
    return Job(
        name, job.stored, job.start, end, job.step, 1, job.places,
        knowns=np.array([one.place for one in knowns] * 2, np.uint32),
        unknowns=np.array(unknowns, np.uint32),
        scales=np.concatenate([scales, FINE * scales]),
    )  # fmt: skip


def _scenario(file: str, **overrides: Any) -> Job:
    scenario = Scenario.load(EXAMPLES / file)
    return job_of(file, scenario.plan(**overrides), scenario.settings.get("every", 1))


def _smarty() -> Job:
    """Ten minutes among 75 components."""
    driven = Diagram("driven")
    smarty = driven.add("smarty", sea.diagram(15, 5))
    force = driven.add("force", Constant(sea.FORCE))
    driven.connect(force.y, smarty.force)
    return job_of("smarty", make_plan(driven, solver="rk4", step=sea.STEP, end=600.0), every=5)


def _tito_neri() -> Job:
    """The round in the harbour."""
    return job_of("tito_neri", make_plan(_example("tito_neri")["harbour"](), step=0.02, end=135.0), every=5)


def _barge() -> Job:
    """A minute on lumped masses in a swell: radiation's memory, tables of transfer functions, a floor."""
    scenario = Scenario.load(EXAMPLES / "moored_barge.yaml")
    diagram = scenario.diagram
    diagram.replace("mooring", MooringDynamics(**diagram.mooring.values, segments=10))
    diagram.connect("barge.nu", "mooring.nu")
    diagram.connect("current.current", "mooring.current")
    return job_of("barge", scenario.plan(step=0.005, end=60.0), every=20)


def _matrices() -> Job:
    """The heading loop of the Otter, 5 s into a turn."""
    example = _example("autopilot_design")
    loop = example["loop"](2.0, example["cruise"]())
    loop.outputs(eta="vessel.eta", nu="vessel.nu")
    return matrices_of("matrices", make_plan(loop, step=0.02, end=5.0), 5.0)


def _example(name: str) -> dict[str, Any]:
    """What an example defines. Some draw as they are read: quietly, in a folder that is thrown away."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        try:
            return runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name=name)
        finally:
            os.chdir(here)
