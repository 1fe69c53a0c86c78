from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

LONGEST: int

class Servos:
    channels: int
    frame_rate: int
    frame_count: int
    def __init__(
        self, entries: Sequence[tuple[NDArray[Any], int, float, float, float, float, float, float]]
    ) -> None: ...
    def read(self, data: bytes | bytearray, size: int) -> bool: ...
    def rest(self) -> None: ...
    def apply(self) -> None: ...

class Sensors:
    def __init__(
        self,
        eta: NDArray[Any],
        nu: NDArray[Any],
        angular_rate: NDArray[Any],
        specific_force: NDArray[Any],
        voltage: NDArray[Any] | None = None,
        current: NDArray[Any] | None = None,
        wind: NDArray[Any] | None = None,
        ranges: Sequence[NDArray[Any]] = (),
    ) -> None: ...
    def line(self, timestamp: float) -> bytes: ...
