"""Every block and the Minerva mission in libcosim and Ecos, with the numbers of the run in this process.

Both set inputs before a step and read outputs after it, so what they record at a communication point are outputs with
the inputs of the step that ends there, as in the run.
"""

from __future__ import annotations

import numpy as np
import pytest
from agreement import assert_agree
from cosimulation import TOOLS, Job, cosimulate
from subjects import SUBJECTS

from fmu.export import VERSIONS



def takes(tool, version, subject):
    """libcosim's reader ends the process at FMI 3.0; Ecos has no access to variables that are arrays."""
    return version == "2.0" or (tool == "ecos" and subject.of_single_numbers)


# libcosim reads outputs before it sets any input: these have none where their inputs are zero.
SINGULAR = {"basic.Product": "product: output y is not a finite number at t = 0 s"}


COMBINATIONS = [
    pytest.param((tool, version, subject), id=f"{tool}-{version}-{subject.name}")
    for tool in TOOLS
    for version in VERSIONS
    for subject in SUBJECTS
    if takes(tool, version, subject)
]


def job(path, subject, version):
    inputs = {f"model.{name}": np.ravel(values) for name, values in subject.input_columns(version).items()}
    record = [f"model.{name}" for name in subject.output_names(version)]
    return Job({"model": path}, subject.communication_step, subject.steps, record, inputs=inputs)


@pytest.fixture(scope="session")
def results(export, tmp_path_factory):
    """What a tool records of a subject; all of them run in one process."""
    known = {}

    def get(tool, version, subject):
        if (tool, version) not in known:
            taken = [one for one in SUBJECTS if takes(tool, version, one)]
            jobs = [job(export(one, version), one, version) for one in taken]
            found = cosimulate(tool, jobs, tmp_path_factory.mktemp(tool))
            known[tool, version] = dict(zip([one.name for one in taken], found, strict=True))
        return known[tool, version][subject.name]

    return get


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_a_tool_computes_what_this_process_does(combination, results):
    tool, version, subject = combination
    found = results(tool, version, subject)
    if tool == "libcosim" and subject.name in SINGULAR:
        assert SINGULAR[subject.name] in found
        return
    assert not isinstance(found, str), found
    assert_agree(found, subject.run[1:])
