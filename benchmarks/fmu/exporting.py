"""How long an export of the benchmark model takes, and how large its FMU is."""

import tempfile
import time
from pathlib import Path
from typing import Any

import fmu
from benchmarks import model
from benchmarks.fmu.contenders import six_states
from benchmarks.report import spread
from fmu.runtime import fmi_platform


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """Both figures."""
    component = six_states()
    times = []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "model.fmu")
        for _ in range(rounds + 1):
            began = time.perf_counter()
            fmu.export(component, path, step=model.STEP, platforms=[fmi_platform()[0]])
            times.append(time.perf_counter() - began)
        size = path.stat().st_size / 1e3
    milliseconds = [1e3 * seconds for seconds in times[1:]]  # the first one imports what the others find imported
    return {
        "export of the benchmark model": spread(milliseconds, "ms") | {"target": "≤ 30"},
        "size of its FMU, one platform": {"value": size, "unit": "kB"},
    }
