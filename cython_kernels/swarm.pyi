import numpy as np
from numpy.typing import NDArray

PARALLEL: bool

def exchange(plans: NDArray[np.uintp], links: NDArray[np.longlong], passing: NDArray[np.float64]) -> None: ...
def advance(
    plans: NDArray[np.uintp],
    recorders: NDArray[np.uintp],
    statuses: NDArray[np.intc],
    links: NDArray[np.longlong],
    passing: NDArray[np.float64],
    end: float,
    steps: int,
    threads: int,
) -> None: ...
