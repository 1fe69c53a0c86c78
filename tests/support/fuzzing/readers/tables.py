"""Tables and other text: logs, points of a wind field, bench tests, forces of waves, charts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from blocks.environment import MotionRAO, WaveForceRAO, WindField
from blocks.lab.identification.log import Log
from blocks.routes import Chart
from blocks.thrust import MeasuredThruster
from fuzzing.mutate.text import text
from fuzzing.reader import EXAMPLES, Reader

BENCH = "ESC signal (µs);Thrust (kgf);Torque (N·m);Voltage (V);Current (A);RPM\n".encode() + b"".join(
    b"%d;%.3f;%.3f;16.0;%.2f;%d\n" % (1500 + 50 * i, 0.3 * i, 0.02 * i, abs(i), 300 * abs(i)) for i in range(-8, 9)
)
DEGREES = list(range(0, 181, 45))


def _logs(folder: Path) -> Mapping[str, bytes]:
    whole = {path.name: path.read_bytes() for path in sorted((EXAMPLES / "identification").glob("*.csv"))}
    short = {f"short_{name}": b"".join(content.splitlines(keepends=True)[:30]) for name, content in whole.items()}
    dates = b"time,u [m/s],heading (deg)\n" + b"".join(
        b"2024-05-01T12:00:%02d.5,%d,%d\n" % (i, i % 3, 350 + i) for i in range(30)
    )
    return {**short, "dates.csv": dates, "tabs.txt": short["short_turns.csv"].replace(b",", b"\t")}


def _points(folder: Path) -> Mapping[str, bytes]:
    places = [(x, y) for x in (0, 10, 20) for y in (0, 10, 20)]
    rows = "".join(f"{x},{y},2.0,{0.1 * x},{0.1 * y},0\n" for x, y in places)
    return {
        "points.csv": f"Points:0,Points:1,Points:2,U:0,U:1,U:2\n{rows}".encode(),
        "plain.csv": f"# a comment\nx, y, z, Ux, Uy, Uz\n{rows}".encode(),
    }


def _forces(folder: Path) -> Mapping[str, bytes]:
    names = ("surge", "sway", "heave", "roll", "pitch", "yaw")
    rows = [
        f"{name},{omega},{beta},{(beta % 180 != 0 or i % 2 == 0) * np.exp(-omega) * (1 + i):.4f},{0.1 * i * beta:.3f}"
        for omega in (0.5, 1.0, 2.0) for beta in DEGREES for i, name in enumerate(names)
    ]  # fmt: skip
    return {"forces.csv": ("dof,omega_rad_per_s,heading_deg,amplitude,phase_deg\n" + "\n".join(rows) + "\n").encode()}


def _charts(folder: Path) -> Mapping[str, bytes]:
    depths = "".join(f"{e},{n},{0.1 * e + 2.0}\n" for e in (0, 10, 20) for n in (0, 10, 20))
    harbour = (EXAMPLES / "harbour.geojson").read_bytes()
    degrees = b"""{"type": "Feature", "properties": {"kind": "depth_area", "depth": "2 m"}, "geometry":
     {"type": "MultiPolygon", "coordinates": [[[[4.1, 52.0], [4.2, 52.0], [4.2, 52.1], [4.1, 52.0]]]]}}"""
    points = f"# a survey\neast, north, depth\n{depths}".encode()
    return {"harbour.geojson": harbour, "degrees.json": degrees, "depths.csv": points}


def _bench(path: Path) -> Any:
    return MeasuredThruster.from_file(path, allocation_matrix=np.eye(6)[:, :1])


READERS = (
    Reader("csv", _logs, Log.read, text, 8),
    Reader("points", _points, lambda path: WindField.from_csv(path), text, 4),
    Reader("bench", lambda folder: {"bench.csv": BENCH}, _bench, text, 24),
    Reader("chart", _charts, Chart.load, text, 8),
    Reader("rao", _forces, lambda path: WaveForceRAO.from_file(path), text, 8),
    Reader("motion rao", _forces, lambda path: MotionRAO.from_file(path, angles="deg"), text, 4),
)
