"""Kernels against the same mathematics written by hand in C: a second opinion on what costs time at every step."""

import pytest

from benchmarks.kernels.cases import all_cases
from benchmarks.kernels.library import FLAGS, load
from benchmarks.kernels.measuring import check
from benchmarks.model import BenchmarkError
from fmu.runtime import ENGINE_C


@pytest.fixture
def library():
    """The engine as it was built and benchmarks/kernels/plain, compiled without optimisation, which takes least."""
    try:
        return load((*FLAGS, "-O0"), ENGINE_C)
    except BenchmarkError as problem:
        if "no C compiler" in str(problem):
            pytest.skip(str(problem))
        raise


def test_kernels_and_plain_c_agree_to_rounding(library) -> None:
    cases = [case for case in all_cases() if case.has_plain(library)]
    assert len({case.name for case in cases}) == 50
    check(library, cases)
