"""Every block and the Minerva mission in libcosim and Ecos, with the numbers of the run in this process.

Both set inputs before a step and read outputs after it, so what they record at a communication point are outputs with
the inputs of the step that ends there, as in the run.
"""

from __future__ import annotations

import pytest
from agreement import assert_agree
from cosimulation import OPTIONS, TAKEN, Job, cosimulate
from subjects import MINERVA, SUBJECTS

from fmu.exporting.export import VERSIONS


def taken(tool, version):
    """What a tool runs: the missions in each version that it takes, blocks by turns in one of them."""
    versions = [other for one, other in TAKEN if one == tool and other in VERSIONS]
    turn = versions.index(version)
    return [one for i, one in enumerate(SUBJECTS) if one in MINERVA or i % len(versions) == turn]


COMBINATIONS = [
    pytest.param((tool, version, subject), id=f"{tool}-{version}-{subject.name}")
    for tool, version in TAKEN
    if version in VERSIONS
    for subject in taken(tool, version)
]


def job(path, subject):
    inputs = {f"model.{name}": values for name, values in subject.input_columns().items()}
    record = [f"model.{name}" for name in subject.output_names()]
    return Job({"model": path}, subject.communication_step, subject.steps, record, inputs=inputs)


@pytest.fixture(scope="session")
def results(export, tmp_path_factory):
    """What a tool records of a subject; all of them run in one process."""
    known = {}

    def get(tool, version, subject):
        if (tool, version) not in known:
            subjects = taken(tool, version)
            jobs = [job(export(one, version, **OPTIONS[version]), one) for one in subjects]
            found = cosimulate(tool, jobs, tmp_path_factory.mktemp(tool))
            known[tool, version] = dict(zip([one.name for one in subjects], found, strict=True))
        return known[tool, version][subject.name]

    return get


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_a_tool_computes_what_this_process_does(combination, results):
    tool, version, subject = combination
    found = results(tool, version, subject)
    assert not isinstance(found, str), found
    assert_agree(found, subject.run[1:])
