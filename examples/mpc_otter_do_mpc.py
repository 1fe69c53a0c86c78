"""The controller of `mpc_otter.py` by do-mpc: the same FMU, weights, limits and horizon, IPOPT to convergence.

do-mpc writes the programme; the FMU comes in as a function of CasADi. Both sail round a corner, and the table says how
they went and how long commands took. Needs CasADi and do-mpc: pip install 'keelblocks[mpc]'.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import fmu

try:
    with warnings.catch_warnings():  # do-mpc tells which of its own extras are not there
        warnings.simplefilter("ignore")
        import casadi as ca
        import do_mpc
except ModuleNotFoundError:
    raise SystemExit("this example needs CasADi and do-mpc: pip install 'keelblocks[mpc]'") from None

if str(Path(__file__).parent) not in sys.path:
    sys.path.insert(0, str(Path(__file__).parent))

import mpc_otter as otter

PATH = np.array([[0.0, 0.0], [12.0, 0.0], [12.0, 24.0]])  # m
SCALES = np.r_[[1.0] * 7, 50.0, 50.0]  # of the states; thrusts are of other size
RATE_SCALES = np.r_[1.0, 50.0, 50.0]


class DoMpc:
    """do-mpc in the place of `Controller`."""

    def __init__(self, model: otter.Model, path: otter.Path2D) -> None:
        self.path = path
        self.along = 0.0  # m, what the boat has come along the path
        self.thrust = np.zeros(2)  # N
        self.current = np.zeros(2)  # m/s
        begun = otter.Controller(model, path)
        self.nodes = begun.x[:, 6]  # m along the path, where the horizon is linearised
        described = do_mpc.model.Model("discrete", "MX")
        x = described.set_variable("_x", "x", (otter.STATES, 1))
        u = described.set_variable("_u", "u", (otter.RATES, 1))
        leg = described.set_variable("_tvp", "leg", (5, 1))
        current = described.set_variable("_tvp", "current", (2, 1))
        described.set_rhs("x", model.ahead(x, u, current))
        described.setup()
        self.mpc = mpc = do_mpc.controller.MPC(described)
        mpc.settings.n_horizon = otter.NODES
        mpc.settings.t_step = otter.INTERVAL
        mpc.settings.store_full_solution = False
        mpc.settings.nlpsol_opts = {
            "ipopt.hessian_approximation": "limited-memory",  # differences of differences take twice the time
            "ipopt.tol": 1e-4,
            "ipopt.max_iter": 100,
            "ipopt.print_level": 0,
            "ipopt.sb": "yes",
            "print_time": False,
        }
        stage, last = otter.residual(x, u, leg, current), otter.residual(x, None, leg, current)
        mpc.set_objective(mterm=0.5 * ca.sumsqr(last), lterm=0.5 * ca.sumsqr(stage))
        mpc.set_rterm(u=np.zeros(otter.RATES))
        mpc.scaling["_x", "x"], mpc.scaling["_u", "u"] = SCALES, RATE_SCALES
        mpc.bounds["lower", "_x", "x"] = np.r_[[-np.inf] * 7, [model.thrust[0]] * 2]
        mpc.bounds["upper", "_x", "x"] = np.r_[[np.inf] * 7, [model.thrust[1]] * 2]
        mpc.bounds["lower", "_u", "u"] = np.r_[0.0, [-otter.THRUST_RATE] * 2]
        mpc.bounds["upper", "_u", "u"] = np.r_[3.0, [otter.THRUST_RATE] * 2]
        self.template = mpc.get_tvp_template()
        mpc.set_tvp_fun(self.given)
        mpc.setup()
        mpc.x0, mpc.u0 = np.zeros(otter.STATES), np.zeros(otter.RATES)
        mpc.set_initial_guess()
        for k in range(otter.NODES + 1):
            for point in range(len(mpc.opt_x_num["_x", k, 0])):
                mpc.opt_x_num["_x", k, 0, point] = begun.x[k] / SCALES
            if k < otter.NODES:
                mpc.opt_x_num["_u", k, 0] = begun.u[k] / RATE_SCALES

    def given(self, _: float) -> object:
        """Legs and current at the nodes."""
        legs = self.path.legs(self.nodes)
        for k in range(otter.NODES + 1):
            self.template["_tvp", k, "leg"] = legs[:, k]
            self.template["_tvp", k, "current"] = self.current
        return self.template

    def command(self, pose: otter.Array, current: otter.Array) -> otter.Array:
        """Both thrusts of the next period, N."""
        self.current = current
        rates = self.mpc.make_step(np.r_[pose, self.along, self.thrust].reshape(-1, 1)).ravel()
        self.along += otter.PERIOD * float(rates[0])
        self.thrust = self.thrust + otter.PERIOD * rates[1:]
        plan = [np.array(self.mpc.opt_x_num["_x", k, 0, -1]).ravel() for k in range(otter.NODES + 1)]
        self.nodes = np.array(plan)[:, 6]
        return self.thrust


def main() -> None:
    """Sail round the corner with both, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=25.0, help="how long to sail")
    seconds = parser.parse_args().seconds
    # do-mpc 5.1.2 calls NumPy on numbers of CasADi, of which CasADi 3.8 says that this will change.
    warnings.filterwarnings("ignore", r"\s*casadi: a numpy function", FutureWarning)
    path = otter.Path2D(PATH)
    model = otter.Model(fmu.export(otter.plant(), "otter.fmu", step=otter.PERIOD))
    table = Table(title=f"{seconds:g} s round a corner, 20 commands a second", title_justify="left")
    for column in ("", "RMS distance from the path", "greatest", "a command: median", "most"):
        table.add_column(column, justify="right" if column else "left")
    for name, controller in (("real-time iteration", otter.Controller(model, path)), ("do-mpc", DoMpc(model, path))):
        track = otter.follow(path, model, controller, most=seconds)
        off, spent = path.distance(track.pose[:, :2]), 1000.0 * np.asarray(track.solve)
        rms = np.sqrt(np.mean(off**2))
        table.add_row(name, f"{rms:.3f} m", f"{off.max():.3f} m", f"{np.median(spent):.1f} ms", f"{spent.max():.1f} ms")
    Console().print(table)


if __name__ == "__main__":
    main()
