"""The engine in WebAssembly computes what the engine of this process does, to the last bit."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from subjects import SUBJECTS, Subject
from webassembly import in_webassembly, skip_without_webassembly

from blocks.plan.kernel import kernel_name
from fmu.runtime.webassembly.engine import Engine, Host
from fmu.runtime.webassembly.module import engine_module


@pytest.fixture(autouse=True)
def _there_is_a_module() -> None:
    skip_without_webassembly()


def outputs(subject: Subject) -> bytes:
    """All outputs at the communication points, before and after inputs are set."""
    return np.array(list(subject.steps_of(subject.plan))).tobytes()


def test_every_block_with_every_sample_and_the_mission():
    """In two modules, each with the kernels of every second subject: what was left out is not missed."""
    subjects = [subject for subject in SUBJECTS if not subject.plan.python_blocks]
    different = []
    for some in (subjects[::2], subjects[1::2]):
        kernels = {kernel_name(leaf.block) for subject in some for leaf in subject.plan.flat.leaves}
        engine = partial(Engine, host=Host(engine_module(kernels)))
        for subject in some:
            if outputs(subject) != in_webassembly(partial(outputs, subject), engine):
                different.append(subject.name)
    assert not different
