"""Seeds: a number of its own for each member, from the one seed of the study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.study.errors import StudyError


class Seeds:
    """Which parameters are seeds, such as "sea.seed", and whose they are.

    common=False: each member has its own. common=True: each replicate has its own, the same for every combination of
    levels, so that differences between levels are not those between seas (common random numbers; Law (2015),
    Simulation Modeling and Analysis, ch. 11.2).

    Names alone get numbers that are drawn from the study's seed, none twice. A mapping gives the numbers themselves:
    one for each replicate if they are common, else one for each member.
    """

    def __init__(self, *names: str, common: bool = False, values: Mapping[str, ArrayLike] | None = None) -> None:
        self.values = dict(values or {})
        self.names = tuple(dict.fromkeys((*names, *self.values)))
        self.common = common

    def numbers(self, name: str, study_seed: int, members: int, replicates: int, greatest: int) -> NDArray[np.int64]:
        """The seeds of a parameter, for each member or for each replicate. Raises StudyError."""
        wanted = replicates if self.common else members
        if name in self.values:
            return self._given(name, wanted, replicates)
        if wanted > greatest + 1:
            raise StudyError(f"{name} has {greatest + 1} seeds only, but {wanted} are needed")
        return distinct(study_seed, self.names.index(name), wanted, greatest)

    def _given(self, name: str, wanted: int, replicates: int) -> NDArray[np.int64]:
        given = np.asarray(self.values[name])
        whose = "replicate" if self.common else "member"
        if given.ndim != 1 or given.size == 0 or not np.issubdtype(given.dtype, np.integer):
            raise StudyError(f"seeds of {name} must be a list of whole numbers, one for each {whose}")
        numbers, counts = np.unique(given, return_counts=True)
        if np.any(counts > 1):
            number, where = numbers[counts > 1][0], np.flatnonzero(given == numbers[counts > 1][0])
            raise StudyError(
                f"{name}: the seed {number} is given to {whose}s {where[0]} and {where[1]}, which would be equal; each "
                f"needs its own"
            )
        if len(given) == replicates and len(given) < wanted:
            raise StudyError(
                f"{name}: {len(given)} seeds would be used again and again for {wanted} members; give each member its "
                f"own, leave them to the study (no values), or say Seeds(…, common=True) if that is meant"
            )
        if len(given) != wanted:
            raise StudyError(f"{name} needs {wanted} seeds, one for each {whose}, not {len(given)}")
        return given.astype(np.int64)

    def __repr__(self) -> str:
        return f"Seeds({', '.join(map(repr, self.names))}{', common=True' if self.common else ''})"


def distinct(seed: int, stream: int, count: int, greatest: int) -> NDArray[np.int64]:
    """`count` different whole numbers from 0 to `greatest`: the first of a stream of random ones (Philox).

    More of them begin with the same ones.
    """
    generator = np.random.Philox(np.random.SeedSequence(seed, spawn_key=(stream,)))
    bits = max(int(greatest).bit_length(), 1)
    found = np.zeros(0, dtype=np.int64)
    while len(found) < count:
        drawn = (generator.random_raw(count + 16) >> np.uint64(64 - bits)).astype(np.int64)
        both = np.concatenate([found, drawn[drawn <= greatest]])
        _, first = np.unique(both, return_index=True)
        found = both[np.sort(first)]
    return found[:count]


def seeds_of(given: Seeds | str | Sequence[str] | Mapping[str, Any] | None) -> Seeds:
    """The seeds that are meant."""
    if isinstance(given, Seeds):
        return given
    if isinstance(given, Mapping):
        return Seeds(values=given)
    names = [given] if isinstance(given, str) else given or []
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise StudyError(f"seeds are names of parameters, such as ['sea.seed'], or Seeds(…), not {given!r}")
    return Seeds(*names)
