"""The Otters: examples/otter_los.yaml, line of sight with a heading and a speed PID, each in a current of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blocks import Scenario, Swarm
from fmu.cuda.files import files_of
from fmu.cuda.rows import Quantity, Rows, rows_of
from fmu.flat_c.export import laid_out

MISSION = Path(__file__).parents[2] / "examples" / "otter_los.yaml"
STEP = 0.05
"""s, of RK4."""
NAME = "otters"


@dataclass(frozen=True)
class Otters:
    """The CUDA C++ of the mission. outputs: what is compared."""

    source: str
    rows: Rows
    outputs: tuple[Quantity, ...]


def otters() -> Otters:
    """Write the mission as CUDA C++."""
    diagram = Scenario.load(MISSION).diagram
    model = laid_out(diagram, step=STEP, solver="rk4", start=0.0, end=None, stop=None, name=NAME)
    rows = rows_of(model)
    return Otters(files_of(model)[f"{NAME}.cu"], rows, tuple(q for q in rows.quantities if q.role == "output"))


def parameters(of: NDArray[np.int64], members: int) -> dict[str, NDArray[np.float64]]:
    """What differs, of those among so many: currents from all sides, starts beside the first leg, gains."""
    part = of / members
    eta = np.zeros((len(of), 6))
    eta[:, 1] = -8.0 + 16.0 * ((of * 7919) % 1000) / 1000.0
    eta[:, 5] = 6.0 * (part - 0.5)
    return {
        "current.speed": 0.4 * ((of * 613) % 997) / 997.0,
        "current.direction": 6.0 * part,
        "vessel.initial_eta": eta,
        "heading.kp": 150.0 + 100.0 * ((of * 389) % 499) / 499.0,
    }


def rows_given(rows: Rows, values: Mapping[str, NDArray[np.float64]]) -> list[tuple[int, NDArray[np.float64]]]:
    """Rows with what stands in them, of parameters by their dotted names."""
    first = {q.name: q.row for q in rows.quantities if q.role == "parameter"}
    found = []
    for name, table in values.items():
        columns = table.reshape(len(table), -1).T
        found += [(first[name.replace(".", "_")] + i, np.ascontiguousarray(column)) for i, column in enumerate(columns)]
    return found


def by_swarm(of: NDArray[np.int64], members: int, every: int, launches: int) -> NDArray[np.float64]:
    """Outputs of those by the engine, at each of launches + 1 instants: [instant, number, member]."""
    diagram = Scenario.load(MISSION).diagram
    swarm = Swarm(diagram, len(of), parameters=parameters(of, members))
    names = [*diagram.output_ports]
    run = swarm.run(every * launches * STEP, step=STEP, solver="rk4", every=every, record=names)
    tables = [run.values(name).reshape(len(of), launches + 1, -1) for name in names]
    return np.ascontiguousarray(np.concatenate(tables, axis=2).transpose(1, 2, 0))
