"""Parameters that cannot change while an FMU runs: few, with a reason, and listed in docs/fmus.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blocks.model.declare import AT_START, Parameter

DRAWN = "it is of the figure only"
"""Of a scope, which no run sees."""
DOCS = Path(__file__).parents[2] / "docs" / "fmus.md"


def test_only_what_counts_at_the_start_is_fixed_and_listed(all_samples):
    fixed = {}
    for sample in all_samples:
        fixed |= {name: p.fixed for name, p in sample().all_parameters().items() if p.fixed}
    assert set(fixed.values()) == {AT_START, DRAWN}
    paragraph = next(text for text in DOCS.read_text().split("\n\n") if "*fixed*" in text)
    listed = set(re.findall(r"`([a-z_]+)`", paragraph))
    assert {name for name in fixed if not name.startswith("initial_")} <= listed


def test_start_values_are_fixed(all_samples):
    """Also those of states that a block has with other parameters only."""
    for sample in all_samples:
        for name, parameter in sample().all_parameters().items():
            assert not name.startswith("initial_") or parameter.fixed, f"{sample.name}.{name}"


@pytest.mark.parametrize(
    ("declared", "tunable"),
    [
        ({}, True), ({"choices": ("a", "b"), "default": "a"}, True), ({"default": True}, True),
        ({"tunable": False}, False), ({"fixed": "it is a name"}, False), ({"structural": True}, False),
        ({"structural": lambda block: False}, True),
    ],
)  # fmt: skip
def test_a_parameter_is_tunable_unless_something_forbids_it(declared, tunable):
    default = declared.pop("default", 1.0)
    assert Parameter(default, **declared).tunable is tunable
    assert bool(Parameter(default, **declared).fixed) is (not tunable and "structural" not in declared)
