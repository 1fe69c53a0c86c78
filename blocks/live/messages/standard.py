"""std_msgs and the clock."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from blocks.live.messages.contents import Message


def float64(value: ArrayLike) -> Message:
    """std_msgs/Float64 or Float32."""
    return {"data": np.asarray(value, dtype=np.float64)}


def float64_multi_array(values: ArrayLike, shape: Sequence[int], labels: Sequence[str] = ()) -> Message:
    """std_msgs/Float64MultiArray or Float32MultiArray of an array (…, *shape), in the order of its rows.

    A dimension each in `layout`; labels of elements stand in the one of a vector, "X,Y,Z,K,M,N".
    """
    data = np.asarray(values, dtype=np.float64)
    size = int(np.prod(shape, dtype=np.int64))
    names = [",".join(labels)] if labels and len(shape) == 1 else [f"axis{number + 1}" for number in range(len(shape))]
    strides = [int(np.prod(shape[number:], dtype=np.int64)) for number in range(len(shape))]
    dimensions = [
        {"label": name, "size": count, "stride": stride}
        for name, count, stride in zip(names, shape, strides, strict=True)
    ]
    leading = data.shape[: data.ndim - len(shape)]
    return {"layout": {"dim": dimensions, "data_offset": 0}, "data": data.reshape(*leading, size)}


def clock(stamp: Message) -> Message:
    """rosgraph_msgs/Clock."""
    return {"clock": stamp}
