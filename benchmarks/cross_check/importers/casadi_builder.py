"""CasADi's `DaeBuilder`: `python -m benchmarks.cross_check.importers.casadi_builder FOLDER OUT`."""

from __future__ import annotations

import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.cross_check.importers.importer import Importer, Refused, described, has_arrays, has_clocks, run_program
from benchmarks.cross_check.rules import Columns, Exported, read


class CasADi(Importer):
    """Derivatives and outputs of the FMU as a function, integrated by Runge-Kutta 4, ten steps from row to row."""

    def missing(self) -> str:
        return "" if find_spec("casadi") else "CasADi: pip install 'keelblocks[mpc]'"

    def version(self) -> str:
        return version("casadi")

    def run(self, one: Exported, scratch: Path) -> Columns:
        if one.place.version == "3.0" and (has_arrays(one.fmu) or has_clocks(one.fmu)):
            raise Refused("DaeBuilder takes no arrays and no clocks")
        if _has_events(one.fmu):
            raise Refused("DaeBuilder holds samples and modes at their start, and this model has some")
        out = scratch / "out.csv"
        run_program([sys.executable, "-m", __name__, str(one.folder), str(out)], scratch)
        return read(out)


STEPS = 10


def _has_events(path: Path) -> bool:
    model = described(path)
    indicators = getattr(model, "eventIndicators", None) or model.numberOfEventIndicators
    discrete = any(v.variability == "discrete" and v.causality in ("local", "output") for v in model.modelVariables)
    return bool(indicators) or discrete


def main(folder: Path, out: Path) -> None:
    """Run the FMU of a folder and write what came of it."""
    import casadi

    from fmu.exporting.reference_results import table

    one = Exported(folder)
    dae = casadi.DaeBuilder("model", str(one.fmu))
    rates = dae.create("rates", ["x", "u"], ["ode", "y"])
    names = [name for name in one.reference if name != "time"]
    places = [dae.y().index(name) for name in names]
    held, points, step = one.held_inputs(), one.points, one.options["OutputIntervalLength"] / STEPS
    given = np.array([held[name] for name in dae.u()]).reshape(dae.nu(), -1)
    x = np.array([float(dae.start(name)[0]) for name in dae.x()])
    rows = []
    for k, t in enumerate(points):
        u = given[:, k] if dae.nu() else np.zeros(0)
        y = np.array(rates(x, u)[1]).ravel()
        rows.append((t, [y[place] for place in places]))
        for _ in range(STEPS if k + 1 < len(points) else 0):
            x = _step(lambda at, u=u: np.array(rates(at, u)[0]).ravel(), x, step)
    out.write_bytes(table(names, rows))


def _step(derivative, x, h):
    """x(t + h) by the classical method of Runge and Kutta."""
    k1 = derivative(x)
    k2 = derivative(x + 0.5 * h * k1)
    k3 = derivative(x + 0.5 * h * k2)
    k4 = derivative(x + h * k3)
    return x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
