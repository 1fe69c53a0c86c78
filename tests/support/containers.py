"""Runs of a diagram here and as a container, at the same instants."""

from __future__ import annotations

import fmpy
import numpy as np

from blocks import simulate

H, END = 0.1, 2.0
"""Communication step and end, s."""
FIXED = {'<Dimension valueReference="1"/>': '<Dimension start="3"/>'}
"""What gives the mixer of `foreign_fmus` a size that is no parameter."""


def expected(diagram, names, **settings):
    """Values in this process, a column each."""
    run = simulate(diagram, END, step=0.05, every=round(H / 0.05), **settings)
    return np.column_stack([run.values(name) for name in names])


def run(path, names, **settings):
    """Values of an FMU in FMPy, a column each."""
    found = fmpy.simulate_fmu(str(path), stop_time=END, output_interval=H, output=list(names), **settings)
    return np.column_stack([found[name] for name in names])
