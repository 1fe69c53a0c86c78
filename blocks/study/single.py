"""One member of a study by itself: its diagram and inputs, as `simulate` takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.study.columns import Column
from blocks.study.factor import NamedFactor
from blocks.study.members import Members
from blocks.study.variants import Subject, varied


def single(
    subject: Subject,
    factors: Sequence[NamedFactor],
    columns: Sequence[Column],
    members: Members,
    seeds: Mapping[str, NDArray[np.int64]],
    inputs: Mapping[str, Any],
    member: int,
) -> tuple[Subject, dict[str, Any]]:
    """A copy of the diagram with all that this member changes, and its inputs."""
    which = np.array([member], dtype=np.int64)
    changes: dict[str, Any] = {}
    for factor, column in zip(factors, columns, strict=True):
        code = int(members.codes(factor, which)[0])
        if factor.distribution is None:
            changes |= factor.levels[code].changes
        else:
            changes |= dict.fromkeys(factor.targets, float(column.values[code]))
    changes |= {name: int(numbers[member]) for name, numbers in seeds.items()}
    ports = subject.input_ports
    given = dict(inputs) | {name: value for name, value in changes.items() if name in ports}
    rest = {name: value for name, value in changes.items() if name not in ports}
    return varied(subject, rest, f"member {member}"), given
