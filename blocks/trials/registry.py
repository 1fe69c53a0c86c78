"""All trials, by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from blocks.block import Block
from blocks.errors import KeelblocksError, raise_all
from blocks.trials.absurd_states import check_absurd_states
from blocks.trials.copies import check_copies
from blocks.trials.declaration import check_declaration
from blocks.trials.dependence import check_dependence, check_needless_dependence
from blocks.trials.descriptions import check_descriptions
from blocks.trials.determinism import check_determinism
from blocks.trials.documentation import check_documentation
from blocks.trials.errors import TrialError
from blocks.trials.examples import check_examples
from blocks.trials.layout import check_layout
from blocks.trials.limits import check_limits
from blocks.trials.neighbours import check_neighbours
from blocks.trials.not_a_number import check_not_a_number
from blocks.trials.outputs_of_states import check_outputs_of_states
from blocks.trials.row_numbers import check_row_numbers
from blocks.trials.samples import Sample, samples_of
from blocks.trials.scenario_text import check_scenario_text
from blocks.trials.separate_runs import check_separate_runs
from blocks.trials.settling import check_settling
from blocks.trials.single_outputs import check_single_outputs
from blocks.trials.solvers import check_solvers


@dataclass(frozen=True)
class Trial:
    """One check that every block has to pass."""

    name: str
    check: Callable[[type[Block]], None]
    """Raises TrialError, or another KeelblocksError that tells what is wrong."""
    doc: str
    strict: bool = False
    """Beyond what a block of one's own has to keep to; the blocks of Keelblocks do."""
    makes: bool = True
    """It makes blocks, by their examples."""

    @property
    def title(self) -> str:
        """The first sentence of what it checks."""
        return self.doc.partition("\n")[0]


def _of_class(name: str, check: Callable[[type[Block]], None], *, strict: bool = False, makes: bool = True) -> Trial:
    return Trial(name, check, inspect.getdoc(check) or "", strict, makes)


def _of_samples(name: str, check: Callable[[Sample], None], *, strict: bool = False) -> Trial:
    """A trial of each sample; what is wrong with several is told once for each."""

    def check_all(block_class: type[Block]) -> None:
        faults: list[TrialError] = []
        for sample in samples_of(block_class):
            try:
                check(sample)
            except TrialError as fault:
                faults.append(fault)
            except KeelblocksError as problem:  # it cannot be made, planned or run
                faults.append(sample.fault(str(problem)))
        raise_all(faults)

    return Trial(name, check_all, inspect.getdoc(check) or "", strict)


EXAMPLES = _of_samples("examples", check_examples)
"""A block that fails this one cannot be tried further."""

TRIALS = {
    trial.name: trial
    for trial in (
        _of_class("documentation", check_documentation, makes=False),
        EXAMPLES,
        _of_samples("declaration", check_declaration),
        _of_samples("descriptions", check_descriptions),
        _of_samples("scenario-text", check_scenario_text),
        _of_samples("copies", check_copies),
        _of_samples("determinism", check_determinism),
        _of_class("dependence", check_dependence),
        _of_class("needless-dependence", check_needless_dependence, strict=True),
        _of_samples("outputs-of-states", check_outputs_of_states),
        _of_samples("single-outputs", check_single_outputs),
        _of_samples("limits", check_limits),
        _of_samples("settling", check_settling),
        _of_samples("neighbours", check_neighbours),
        _of_samples("separate-runs", check_separate_runs),
        _of_samples("solvers", check_solvers),
        _of_samples("layout", check_layout),
        _of_samples("row-numbers", check_row_numbers),
        _of_samples("absurd-states", check_absurd_states),
        _of_samples("not-a-number", check_not_a_number, strict=True),
    )
}
"""The first ones are of what is written, those behind of what it does."""
