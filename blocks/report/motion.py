"""The motion of a vessel as a run recorded it: where it was, and how it was turned, at any instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blocks.errors import did_you_mean
from blocks.run.result import Result, ResultError

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Motion:
    """Positions in NED axes and attitudes over time."""

    time: Array
    """s, n."""
    position: Array
    """North, east, down, m, n×3."""
    attitude: Rotation
    """From body axes to NED, n."""

    @classmethod
    def of(cls, result: Result, vessel: str) -> Motion:
        """The motion of the vessel with this name. Raises ResultError if the result does not have it."""
        from scipy.spatial.transform import Rotation  # a quarter of a second, which other reports need not wait for

        name = f"{vessel}.eta"
        if name not in result:
            raise ResultError(_missing(result, vessel))
        eta = result.values(name)
        if eta.shape[1:] != (6,):
            raise ResultError(f"'{name}' is no pose: it has the shape {eta.shape[1:]}, not (6,)")
        if len(eta) < 2:
            raise ResultError(
                f"'{name}' has {len(eta)} recorded point{'' if len(eta) else 's'}; a motion has two or more"
            )
        bad = np.flatnonzero(~np.isfinite(eta).all(axis=1))
        if bad.size:
            raise ResultError(f"'{name}' is not a finite number at t = {result.time[bad[0]]:g} s: it cannot be drawn")
        return cls(result.time, eta[:, :3], Rotation.from_euler("ZYX", eta[:, 5:2:-1]))

    def at(self, times: Array) -> tuple[Array, Array]:
        """Positions, n×3, and rotation matrices, n×3×3, at these times: interpolated, attitudes on the shortest way."""
        from scipy.spatial.transform import Slerp

        position = np.column_stack([np.interp(times, self.time, series) for series in self.position.T])
        turned = Slerp(self.time, self.attitude)(np.clip(times, self.time[0], self.time[-1]))
        return position, np.asarray(turned.as_matrix())


def _missing(result: Result, vessel: str) -> str:
    """Why there is no pose of a vessel."""
    if any(name.startswith(f"{vessel}.") for name in result):
        return f"'{vessel}.eta' was not recorded, and the motion is read from it: record it, too"
    names = [name.removesuffix(".eta") for name in result if name.endswith(".eta")]
    if not names:
        return f"no vessel '{vessel}' in this result: no output eta was recorded at all"
    return f"no vessel '{vessel}' in this result{did_you_mean(vessel, names)}"
