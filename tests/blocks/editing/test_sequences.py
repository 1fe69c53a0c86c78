"""Random sequences of edits, a few; all by `python -m benchmarks.editing --sequences 10000`."""

from __future__ import annotations

import pytest

from benchmarks.editing.sequences import check
from benchmarks.editing.texts import HARD, texts


@pytest.mark.parametrize("form", ["", ", crlf", ", byte order mark", ", no last end of line"])
def test_the_text_says_what_is_meant_and_only_its_lines_change(form: str) -> None:
    known = texts()
    hard = {name: text for name, text in known.items() if name in {f"{one}{form}" for one in HARD}}
    for seed in range(8):
        check(seed, hard)
    for seed in range(2):
        check(seed, known)
