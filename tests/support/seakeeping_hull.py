"""A hull of 50 kg whose sides are alike, for tests of vessels with memory."""

import numpy as np

RIGID = np.diag([50.0, 50.0, 50.0, 6.0, 20.0, 20.0])
INFINITE = np.array(
    [
        [3.0, 0, 0.5, 0, 0.8, 0],
        [0, 20.0, 0, -2.0, 0, 1.5],
        [0.5, 0, 35.0, 0, 2.0, 0],
        [0, -2.0, 0, 2.0, 0, 0.3],
        [0.8, 0, 2.0, 0, 9.0, 0],
        [0, 1.5, 0, 0.3, 0, 6.0],
    ]
)
STIFFNESS = np.diag([0.0, 0.0, 900.0, 40.0, 300.0, 0.0])
