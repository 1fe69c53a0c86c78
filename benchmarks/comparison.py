"""Compare two runs of the benchmark model by turns, so that what slows the machine slows both."""

from dataclasses import dataclass
from statistics import median

from benchmarks.model import Outcome, Run, end_state_difference


@dataclass(frozen=True)
class Comparison:
    """A contender against a reference, both measured in alternation in one process.

    Attributes:
        microseconds_per_step: median wall time of the contender [µs].
        reference_microseconds_per_step: median wall time of the reference [µs].
        ratio: median over the rounds of contender over reference.
        ratio_range: the smallest and the largest ratio of a round.
        end_state_difference: how far the contender ended from the reference, see `model.end_state_difference`.
        outcome: the contender's last run.
    """

    microseconds_per_step: float
    reference_microseconds_per_step: float
    ratio: float
    ratio_range: tuple[float, float]
    end_state_difference: float
    outcome: Outcome


def compare(contender: Run, reference: Run, end: float, rounds: int, references_per_round: int = 1) -> Comparison:
    """Run `reference` and `contender` to `end` [s] by turns and return the medians.

    Args:
        contender: what is measured.
        reference: what it is measured against.
        end: end time of the simulation [s].
        rounds: how many times the contender is run.
        references_per_round: how many times the reference is run before the contender; the median of these counts.
            Above one where the reference is so short that a single run of it says little.
    """
    reference(end)  # the first run pays for cold caches and lazy binding
    own: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        references = [reference(end) for _ in range(references_per_round)]
        outcome = contender(end)
        theirs.append(median(run.microseconds_per_step for run in references))
        own.append(outcome.microseconds_per_step)
    ratios = [a / b for a, b in zip(own, theirs, strict=True)]
    return Comparison(
        microseconds_per_step=median(own),
        reference_microseconds_per_step=median(theirs),
        ratio=median(ratios),
        ratio_range=(min(ratios), max(ratios)),
        end_state_difference=end_state_difference(outcome.end_state, references[-1].end_state),
        outcome=outcome,
    )
