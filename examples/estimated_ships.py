"""How good estimates of ships are: derivatives beside measured ones, propellers, turns. Writes `estimated_ships.png`.

The ships are the Mariner (Chislett and Strøm-Tejsen 1965) and the tanker KVLCC2 (Yasukawa and Yoshimura 2015).
"""

from __future__ import annotations

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blocks import Diagram, simulate
from blocks.basic import Constant, Sum
from blocks.dynamics import Vessel3DOF
from blocks.estimates import clarke, efficiency, inoue, norrbin, open_water, wagner_smitt
from blocks.ready.estimates import ship
from blocks.style import SERIES, SETTINGS, WAYPOINT
from blocks.thrust import PropellerThrusters, Rudder

MEASURED = {
    "Mariner": (
        (160.93, 23.17, 8.23, 0.60),
        {"Y_v": -1160e-5, "Y_r": 299e-5, "N_v": -264e-5, "N_r": -184e-5, "Y_vdot": -748e-5, "N_rdot": -43.8e-5},
    ),
    "KVLCC2": (
        (320.0, 58.0, 20.8, 0.81),
        {"Y_v": -2048e-5, "Y_r": 397e-5, "N_v": -891e-5, "N_r": -319e-5, "Y_vdot": -1450e-5, "N_rdot": -71.5e-5},
    ),
}
"""Main dimensions, and derivatives over ½ρL², with Y_r and N_r as of the water alone."""
SOURCES = {
    "Clarke et al. 1983": clarke, "Inoue et al. 1981": inoue, "Norrbin 1971": norrbin, "Wagner Smitt 1971": wagner_smitt
}  # fmt: skip
NAMES = {
    "Y_v": r"$Y'_v$", "Y_r": r"$Y'_r$", "N_v": r"$N'_v$", "N_r": r"$N'_r$", "Y_vdot": r"$Y'_{\dot v}$",
    "N_rdot": r"$N'_{\dot r}$",
}  # fmt: skip


def ratios() -> dict[str, dict[str, list[float]]]:
    """Estimated over measured, by ship and source, nan where a source has none."""
    return {
        name: {
            label: [getattr(source(*dimensions), d) / value or np.nan for d, value in measured.items()]
            for label, source in SOURCES.items()
        }
        for name, (dimensions, measured) in MEASURED.items()
    }


def turn(block_coefficient: float, crossing: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """The track of an estimated ship of 120 m by 20 m by 7 m under 35° of rudder, in lengths."""
    parts = {
        name: {parameter: one.value for parameter, one in entries.items()}
        for name, (_, entries) in ship(120.0, 20.0, 7.0, block_coefficient).sections.items()
    }
    hull = parts["planar"] if crossing else {k: v for k, v in parts["planar"].items() if "cross" not in k}
    hull["added_mass"] = np.asarray(hull["added_mass"])
    shaft = parts["propeller"]["speed_limit_forward"][0] / 1.2
    diagram = Diagram("turn")
    vessel = diagram.add("vessel", Vessel3DOF(**hull, initial_nu=[6.2, 0, 0, 0, 0, 0]))
    propeller = diagram.add("propeller", PropellerThrusters(**parts["propeller"]))
    rudder = diagram.add("rudder", Rudder(**parts["rudder"], response="rate_limited", rate_limit="2.4 deg/s"))
    total = diagram.add("total", Sum(signs="++"))
    diagram.connect(diagram.add("shaft", Constant(value=[shaft])).y, propeller.command)
    diagram.connect(diagram.add("wheel", Constant(value=np.radians(35.0))).y, rudder.command)
    diagram.connect(vessel.nu_r, propeller.nu_r)
    diagram.connect(vessel.nu_r, rudder.nu_r)
    diagram.connect(propeller.thrust[0], rudder.port("thrust"))
    diagram.connect(propeller.force, total.port("in1"))
    diagram.connect(rudder.force, total.port("in2"))
    diagram.connect(total.y, vessel.force)
    eta = simulate(diagram, 700.0, step=0.5).values("vessel.eta")
    return eta[:, 1] / 120.0, eta[:, 0] / 120.0


def bars(axes: Axes, name: str, found: dict[str, list[float]]) -> None:
    """Estimated over measured, a group of bars for each derivative."""
    places = np.arange(len(NAMES), dtype=float)
    for k, (label, values) in enumerate(found.items()):
        axes.bar(places + 0.2 * (k - 1.5), values, 0.18, color=SERIES[k], label=label)
    axes.axhline(1.0, color=WAYPOINT, linewidth=1.0)
    axes.set(title=f"{name}: estimated over measured", xticks=places, xticklabels=NAMES.values(), ylim=(0.0, 2.3))
    axes.set_xlim(-0.5, len(NAMES) - 0.5)
    axes.grid(axis="x", visible=False)


def propellers(axes: Axes) -> None:
    """Open water of four-bladed propellers by pitch."""
    for pitch, colour in zip((0.6, 0.8, 1.0, 1.2), SERIES, strict=False):
        thrust, torque = open_water(pitch, 0.6, 4)
        j = np.linspace(0.0, 1.4, 141)
        k_t, k_q = np.polyval(thrust, j), np.polyval(torque, j)
        j, k_t, k_q = j[k_t > 0.0], k_t[k_t > 0.0], k_q[k_t > 0.0]
        axes.plot(j, k_t, color=colour, label=f"P/D {pitch:g}")
        axes.plot(j, 10.0 * k_q, color=colour, linestyle="--")
        axes.plot(j, [efficiency(thrust, torque, x) for x in j], color=colour, linestyle=":")
    axes.set(title="B4-60: $K_T$, 10 $K_Q$ (dashed), $\\eta_0$ (dotted)", xlabel="advance ratio J", ylim=(0.0, None))
    axes.legend()


def turns(axes: Axes) -> None:
    """Turning circles of ships of the same dimensions."""
    for block, colour in zip((0.6, 0.7, 0.8), SERIES, strict=False):
        axes.plot(*turn(block), color=colour, label=f"$C_b$ {block:g}")
    axes.plot(*turn(0.8, crossing=False), color=SERIES[2], linestyle=":", label="$C_b$ 0.8, no cross flow")
    axes.set(title="Turns under 35° of rudder", xlabel="east, lengths", ylabel="north, lengths", aspect="equal")
    axes.margins(0.06)
    axes.legend(loc="center", bbox_to_anchor=(0.42, 0.45))


def figure() -> Figure:
    """Derivatives above, propellers and turns below."""
    with rc_context(SETTINGS):
        drawn = Figure(figsize=(12.0, 9.0), layout="constrained")
        above, below = drawn.subplots(2, 2)
        for axes, (name, found) in zip(above, ratios().items(), strict=True):
            bars(axes, name, found)
        above[0].legend(loc="upper left", ncols=2)
        propellers(below[0])
        turns(below[1])
    return drawn


if __name__ == "__main__":
    for name, found in ratios().items():
        print(f"{name:20}" + "".join(f"{label:>8}" for label in NAMES))
        for label, values in found.items():
            print(f"{label:20}" + "".join("       –" if np.isnan(v) else f"{v:8.2f}" for v in values))
    figure().savefig("estimated_ships.png")
