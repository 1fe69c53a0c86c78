"""Kernels against the same mathematics written by hand in C: a second opinion on what costs time at every step."""

import sys
from pathlib import Path

import pytest

from fmu.runtime import ENGINE_C

ROOT = Path(__file__).parents[2]


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch):
    """The engine as it was built and benchmarks/kernels/plain, compiled without optimisation, which takes least."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT)])  # last: what is tested may be an installed wheel
    from benchmarks.kernels.library import FLAGS, load
    from benchmarks.model import BenchmarkError

    try:
        return load((*FLAGS, "-O0"), ENGINE_C)
    except BenchmarkError as problem:
        if "no C compiler" in str(problem):
            pytest.skip(str(problem))
        raise


def test_kernels_and_plain_c_agree_to_rounding(library) -> None:
    from benchmarks.kernels.cases import all_cases
    from benchmarks.kernels.measuring import check

    cases = [case for case in all_cases() if case.has_plain(library)]
    assert len({case.name for case in cases}) == 33
    check(library, cases)
