"""What a checked build found a kernel to do wrong, in words."""

from __future__ import annotations

_ARRAYS = {
    1: "input {port}",
    2: "output {port}",
    3: "parameter {port}",
    4: "the derived constants w",
    5: "the states x",
    6: "the derivatives dx",
    7: "the discrete states z",
    8: "the crossings g",
}
_MISUSES = {
    1: "its kernel writes outside of {array}; compare its indices with the block's declaration",
    2: "its kernel writes to {array} in a function that may not; see cython_kernels/view.pxd for which may",
}


def explain_misuse(fault: int) -> str:
    """The meaning of a fault below 0; ports and parameters count from 0 (see `checked.pxd` for the numbers)."""
    array, rest = divmod(-fault, 100_000)
    port, misuse = divmod(rest, 10)
    return _MISUSES[misuse].format(array=_ARRAYS[array].format(port=port))
