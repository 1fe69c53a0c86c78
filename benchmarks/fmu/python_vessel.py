"""The benchmark model for PythonFMU, in plain Python: the equations of benchmarks/model.py and a Runge-Kutta step.

PythonFMU packs this file; it knows nothing of Keelblocks.
"""

from math import atan2, cos, floor, pi, sin

from pythonfmu import Fmi2Causality, Fmi2Slave, Real

STEP = 0.02
COURSE = pi / 6.0


def limited(value, bound):
    return bound if value > bound else -bound if value < -bound else value


def derivatives(s):
    x, y, psi, u, v, r, z, w = s
    cross_track = -x * sin(COURSE) + y * cos(COURSE)
    heading_error = COURSE - atan2(cross_track, 4.0) - psi
    heading_error -= 2.0 * pi * floor((heading_error + pi) / (2.0 * pi))
    moment = limited(4.0 * heading_error + 0.2 * z - 1.0 * r, 1.84)
    speed_error = 1.0 - u
    force = limited(40.0 * speed_error + 20.0 * w, 23.0)
    c, n = cos(psi), sin(psi)
    return (
        u * c - v * n,
        u * n + v * c,
        r,
        (force + 10.364 * v * r - 16.296 * u) / 9.75,
        (-9.75 * u * r - 10.193 * v) / 10.364,
        (moment + (9.75 - 10.364) * u * v - 4.63 * r) / 1.158,
        heading_error,
        speed_error,
    )


def runge_kutta(s, h):
    k1 = derivatives(s)
    k2 = derivatives([a + 0.5 * h * b for a, b in zip(s, k1, strict=True)])
    k3 = derivatives([a + 0.5 * h * b for a, b in zip(s, k2, strict=True)])
    k4 = derivatives([a + h * b for a, b in zip(s, k3, strict=True)])
    return [a + h / 6.0 * (b + 2.0 * c + 2.0 * d + e) for a, b, c, d, e in zip(s, k1, k2, k3, k4, strict=True)]


class PythonVessel(Fmi2Slave):
    """x, y, psi, u, v, r of a vessel that follows a line."""

    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.s = [0.0, 10.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        for i, name in enumerate(("x", "y", "psi", "u", "v", "r")):
            self.register_variable(Real(name, causality=Fmi2Causality.output, getter=lambda i=i: self.s[i]))

    def do_step(self, current_time, step_size):
        for _ in range(round(step_size / STEP)):
            self.s = runge_kutta(self.s, STEP)
        return True
