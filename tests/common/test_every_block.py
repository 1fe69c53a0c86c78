"""What every block must keep to (`blocks/trials`). A new block is tested by existing, with its `examples`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from blocks.basic import Constant
from blocks.block import library
from blocks.dynamics import ComplexVessel6DOF
from blocks.environment import CurrentField, MotionRAO, WaveForceRAO, WindField
from blocks.scenario.writing import example_text
from blocks.trials.errors import TrialError
from blocks.trials.not_a_number import check_not_a_number
from blocks.trials.registry import TRIALS, Trial
from blocks.trials.samples import samples_of

IN_A_PROCESS, IN_FAMILIES = "absurd-states", "not-a-number"
BLOCKS = [cls for cls in library().values() if cls.__module__.split(".")[0] == "blocks"]
SELDOM_SEEN = {"thrust.AzimuthThrusters", "power.Battery", "guidance.MissionPlan", "guidance.CurvedPath"}
"""Blocks with a dependence that takes a thousand random points to be seen."""
PAIRS = [(cls, trial) for cls in BLOCKS for trial in TRIALS.values() if trial.name not in (IN_A_PROCESS, IN_FAMILIES)]


def _marks(cls, trial: Trial) -> list:
    return [pytest.mark.slow] if trial.name == "needless-dependence" and cls.type_name() in SELDOM_SEEN else []


@pytest.mark.parametrize(
    ("cls", "trial"),
    [pytest.param(*pair, id=f"{pair[0].type_name()}-{pair[1].name}", marks=_marks(*pair)) for pair in PAIRS],
)
def test_a_block_passes(cls, trial: Trial) -> None:
    trial.check(cls)


ABSURD = """
from blocks import library
from blocks.trials.registry import TRIALS
for name in {names!r}:
    TRIALS["absurd-states"].check(library()[name])
"""


def test_states_that_cannot_be_bring_no_process_down() -> None:
    script = ABSURD.format(names=[cls.type_name() for cls in BLOCKS])
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"ended with {ran.returncode}: {ran.stderr[-2000:]}"


HARMLESS = {("thrust.ThrustAllocation", "nu_r", "thrust")}
"""Block, input and output: without limits at this speed, the thrusts are those that were wanted."""


@pytest.mark.parametrize(
    "cls", [cls for cls in BLOCKS if cls.family in ("environment", "power", "thrust")], ids=lambda cls: cls.type_name()
)
def test_what_is_no_number_is_not_hidden(cls) -> None:
    """The engine stops a run where it sees a value that is no number; a block that hides one moves the trouble."""
    for sample in samples_of(cls):
        check_not_a_number(sample, HARMLESS)


def test_a_block_without_a_sample_is_asked_for_one() -> None:
    class Novel(Constant, abstract=True):
        value = Constant.parameters["value"].__class__(doc="a value that has no default")

    told = r"basic.Novel has no defaults for value: give the class an example of .*, examples = \(\{'value': …\},\)"
    with pytest.raises(TrialError, match=told):
        TRIALS["copies"].check(Novel)


LONG = {ComplexVessel6DOF, CurrentField, MotionRAO, WaveForceRAO, WindField}
"""Blocks whose examples are tables of a hundred numbers and more, which nobody wants to read."""


def test_examples_are_short_enough_to_read() -> None:
    assert {cls for cls in BLOCKS if cls.examples and not example_text(cls)} == LONG
