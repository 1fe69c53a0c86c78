"""Which parameters are named when their lengths disagree."""

import numpy as np
import pytest

from blocks.errors import ParameterError
from blocks.model.declare import Parameter
from blocks.model.parameter_sizes import sizes_of

PARAMETERS = {
    "matrix": Parameter(0.0, shape=(2, "n")),
    "first": Parameter(0.0, shape=("n",)),
    "second": Parameter(0.0, shape=("n",)),
    "third": Parameter(0.0, shape=("n",)),
    "square": Parameter(0.0, shape=("k", "k")),
}


def values(**lengths: int) -> dict[str, np.ndarray]:
    return {name: np.zeros((2, n) if name == "matrix" else n) for name, n in lengths.items()}


def test_sizes_follow_from_what_is_given() -> None:
    assert sizes_of(PARAMETERS, values(matrix=3, second=3), "craft") == {"n": 3}
    assert sizes_of(PARAMETERS, {"first": 2.0}, "craft") == {}  # a single number fills any shape


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ({"first": 2, "second": 3}, "craft.first has 2 entries, second has 3"),
        ({"first": 5, "second": 4, "third": 5}, "craft.first has 5 entries, second has 4"),
        ({"matrix": 5, "first": 4, "second": 5, "third": 5}, "craft.first has 4 entries, second has 5"),
        ({"matrix": 4, "first": 5, "second": 5}, "craft.matrix has 4 entries, first has 5"),
    ],
)
def test_the_odd_one_out_is_named_with_one_of_its_kind(lengths: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{message}: they must have the same number$"):
        sizes_of(PARAMETERS, values(**lengths), "craft")


def test_a_matrix_that_should_be_square_is_named_with_its_form() -> None:
    with pytest.raises(ParameterError, match=r"craft.square must be an array of k×k, not of 2×3"):
        sizes_of(PARAMETERS, {"square": np.zeros((2, 3))}, "craft")
