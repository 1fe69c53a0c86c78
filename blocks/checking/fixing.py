"""Apply the mends that are known, one after the other, as long as each leaves less that is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from blocks.checking.check import Checked, check_text
from blocks.problems import Problem


@dataclass(frozen=True)
class Fixed:
    """What came of mending: the problems that are mended, and what is to be said of the text afterwards."""

    mended: tuple[Problem, ...]
    checked: Checked


def fix_text(text: str, file: str = "scenario") -> Fixed:
    """Mend what can be mended in the text of a scenario: errors first, then what is improbable.

    A mend is taken where the text has fewer problems after it; all places are as they were in the text at that time.
    """
    checked, done, refused = check_text(text, file, loops=False), [], set[tuple[object, ...]]()
    while True:
        for problem in (*checked.errors, *checked.warnings):
            if problem.replacements is None or _name(problem) in refused:
                continue
            after = check_text(problem.fix(checked.text), file, loops=False)
            if _rank(after) < _rank(checked):
                checked = after
                done.append(problem)
                break
            refused.add(_name(problem))
        else:
            return Fixed(tuple(done), check_text(checked.text, file))


def _name(problem: Problem) -> tuple[object, ...]:
    return problem.code, problem.path, problem.wrong


def _rank(checked: Checked) -> tuple[int, int]:
    """How much is wrong. Warnings are looked for only where there are no errors."""
    return len(checked.errors), len(checked.warnings)
