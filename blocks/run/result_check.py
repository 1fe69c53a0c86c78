"""Whether a dataset is what Keelblocks writes as a result: of a run, of a swarm or of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

STATUSES = ("end", "stopped", "failed", "interrupted")
_SWARM, _STUDY = "vehicles", "study"


def fault(dataset: xr.Dataset) -> str:
    """What is wrong with it; "" if nothing is."""
    return _attributes(dataset) or _time(dataset) or next(filter(None, map(_variable, dataset.variables.items())), "")


def _attributes(dataset: xr.Dataset) -> str:
    given = dataset.attrs
    if _STUDY in given:
        texts, numbers = ["solver", _STUDY], ["start", "end", "step"]
    elif _SWARM in given:
        texts, numbers = ["solver", "plan"], ["start", "requested_end", "step", _SWARM]
    elif "status" in given:
        texts, numbers = ["solver", "plan", "message"], ["start", "end", "requested_end", "step"]
        if not isinstance(given["status"], str) or given["status"] not in STATUSES:
            return f"its status is {_shown(given['status'])}, none of {', '.join(STATUSES)}"
    else:
        return "it has no attribute 'status', which results of Keelblocks have"
    for name in texts:
        if not isinstance(given.get(name), str):
            return f"its attribute '{name}' {_instead(given, name, 'text')}"
    for name in numbers:
        value = given.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or value != value:
            return f"its attribute '{name}' {_instead(given, name, 'a number')}"
    return ""


def _instead(given: Any, name: str, wanted: str) -> str:
    return f"must be {wanted}, not {_shown(given[name])}" if name in given else "is missing"


def _shown(value: Any) -> str:
    return " ".join(repr(value).split())[:80]


def _time(dataset: xr.Dataset) -> str:
    if _STUDY in dataset.attrs:
        return ""
    if "time" not in dataset.variables:
        return "it has no variable 'time'"
    time = dataset.variables["time"]
    if time.dims != ("time",) or time.dtype != np.float64 or time.attrs.get("units") != "s":
        return f"its time must be float64 along a dimension 'time' in s, not {time.dtype} along {list(time.dims)}"
    if not np.all(np.isfinite(time.values)) or np.any(np.diff(time.values) < 0.0):
        return "its times do not increase"
    first, last = dataset.attrs["start"], dataset.attrs.get("end", dataset.attrs["requested_end"])
    edge = 1e-6 * max(1.0, abs(float(first)), abs(float(last)))
    if time.size and not (time.values[0] >= first - edge and time.values[-1] <= last + edge):
        return (
            f"its times go from {time.values[0]:g} to {time.values[-1]:g} s, and the run from {first:g} to {last:g} s"
        )
    return ""


def _variable(item: tuple[Any, xr.Variable]) -> str:
    name, variable = item
    if not isinstance(name, str) or not name:
        return f"the name of a variable is {name!r}"
    if variable.dtype.kind in "OU":
        if not all(isinstance(text, str) for text in np.ravel(variable.values)):
            return f"{name} must be text"
        if variable.dims == (name,) and len(set(variable.values.tolist())) < variable.size:
            return f"{name} names two elements alike"
        return ""
    if variable.dtype.kind not in "iufb":
        return f"{name} must hold numbers or text, not {variable.dtype}"
    return ""
