"""Faults put into the examples at random are found, these and no others, each where it is, and mended where a mend is
known. More of them: KEELBLOCKS_PLANTED=2000."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from planting import planted

from blocks.checking import check_text, fix_text

EXAMPLES = sorted(
    path
    for path in (Path(__file__).resolve().parents[3] / "examples").glob("*.yaml")
    if "\nkeelblocks: 1" in path.read_text(encoding="utf-8")
)
COUNT = int(os.environ.get("KEELBLOCKS_PLANTED", "24"))
MENDED = {"unknown-type", "unknown-parameter", "unknown-block", "unknown-port", "unknown-choice"}


@pytest.mark.parametrize("seed", range(COUNT))
def test_exactly_the_faults_that_were_planted_are_found(seed: int) -> None:
    path = EXAMPLES[seed % len(EXAMPLES)]
    good = path.read_text(encoding="utf-8")
    text, faults = planted(good, seed, 1 + seed % 6, str(path))
    problems = check_text(text, str(path)).problems
    assert Counter(problem.code for problem in problems) == Counter(fault.code for fault in faults)
    for fault in faults:
        if fault.code != "unconnected-input":
            line = good.count("\n", 0, fault.change.span.start) + 1
            assert any((problem.code, problem.line) == (fault.code, line) for problem in problems)


@pytest.mark.parametrize("seed", range(0, COUNT, 8))
def test_what_is_misspelt_is_mended_and_nothing_else_is_touched(seed: int) -> None:
    path = EXAMPLES[seed % len(EXAMPLES)]
    good = path.read_text(encoding="utf-8")
    text, _ = planted(good, seed, 5, str(path), only=MENDED)
    fixed = fix_text(text, str(path))
    assert fixed.checked.text == good
    assert fixed.checked.problems == check_text(good, str(path)).problems  # published gains are warned of


def test_the_examples_are_in_order_and_nothing_in_them_is_improbable() -> None:
    """Their loops bear what is worth copying; those of published gains, which stay as they are, are warned of."""
    for path in EXAMPLES:
        found = check_text(path.read_text(encoding="utf-8"), str(path)).problems
        published = ["small-phase-margin"] * 2 if path.stem == "minerva_los" else []
        assert [problem.code for problem in found] == published
