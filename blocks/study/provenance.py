"""What a study is, as plain data: two studies with equal descriptions have equal results."""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

import numpy as np

from blocks.plan.encode import checksum
from blocks.run.result import version
from blocks.study.design import Design
from blocks.study.factor import NamedFactor
from blocks.study.fingerprint import digest, full_name
from blocks.study.metric import Metric, Statistic
from blocks.study.programs import Case
from blocks.study.seeds import Seeds

FORMAT = 1


def describe(
    factors: Sequence[NamedFactor],
    metrics: Mapping[str, Metric | Statistic],
    design: Design,
    replicates: int,
    seeds: Seeds,
    seed: int,
    every: int,
    cases: Sequence[Case],
    dimensions: Mapping[str, int],
) -> dict[str, Any]:
    """All that decides the numbers of a study."""
    numbers = hashlib.sha256()
    for case in cases:
        for array in (case.members, case.numbers.places, *case.program.constants):
            numbers.update(np.ascontiguousarray(array).tobytes())
        for table in case.numbers.tables:
            numbers.update(table.numbers.tobytes() + table.rows.tobytes())
    libraries = {need.name: need.digest for case in cases for need in case.program.libraries if need.digest}
    settings = cases[0].plan.settings
    return {
        "format": FORMAT,
        "keelblocks": version(),
        "factors": {f.name: _levels(f) for f in factors},
        "metrics": {name: dict(metric.description()) for name, metric in metrics.items()},
        "design": repr(design),
        "dimensions": dict(dimensions),
        "replicates": replicates,
        "seeds": {"parameters": list(seeds.names), "common": seeds.common},
        "seed": seed,
        "solver": settings.solver,
        "step": settings.step,
        "start": settings.start,
        "end": settings.end,
        "every": every,
        "plans": [checksum(case.plan.stored) for case in cases],
        "python_blocks": {
            full_name(type(block)): digest(type(block)) for case in cases for block in case.plan.python_blocks.values()
        },
        **({"libraries": libraries} if libraries else {}),
        "numbers": numbers.hexdigest()[:16],
    }


def _levels(factor: NamedFactor) -> Any:
    if factor.distribution is None:
        return [str(level.label) for level in factor.levels]
    given = factor.distribution
    if hasattr(given, "dist"):
        return f"{given.dist.name}{(*given.args, *(f'{k}={v}' for k, v in given.kwds.items()))}"
    return repr(given)


def identity(description: Mapping[str, Any]) -> str:
    """A hash that tells studies from each other."""
    bare = {key: value for key, value in description.items() if key != "hash"}
    return hashlib.sha256(json.dumps(bare, sort_keys=True).encode()).hexdigest()[:16]


_WORDS = {
    "numbers": "values of factors, seeds or inputs",
    "plans": "the diagram or its parameters",
    "python_blocks": "blocks written in Python",
    "libraries": "the kernels of",
    "keelblocks": "the version of Keelblocks",
}


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """What differs between two descriptions, in words."""
    found = []
    for key in here:
        old, new = there.get(key), here[key]
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
            found.append(f"{_WORDS.get(key, key)} {', '.join(names)}")
        elif key in ("numbers", "plans"):
            found.append(_WORDS[key])
        else:
            found.append(f"{_WORDS.get(key, key)}, {old} there and {new} here")
    return "; ".join(found) + (" differ" if len(found) > 1 else " differs") if found else "its description was changed"


def circumstances() -> dict[str, str]:
    """When, where and by which command; nothing here decides the numbers."""
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": shlex.join(sys.argv),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
    }
