"""How true few waves are to a spectrum: the error of the height, and how much periods and slopes scatter.

Prints the tables of docs/waves.md. The first one: the error of the significant height of a Pierson-Moskowitz spectrum
by the number of bands of equal step, here, and with waves that take the density in the middle of each band. The second
one: zero-crossing period and root mean square of the slope of JonswapSea(2.0, 8.0), mean and standard deviation over
seeds. Nothing is timed; equal seeds give equal figures on every machine.
"""

import sys
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import over_seeds, show
from blocks.environment import JonswapSea, PiersonMoskowitzSea
from blocks.environment.sea import ROWS, IrregularSea

BANDS = ("equal-area", "equal-step")
COUNTS = (1, 3, 5, 8, 15, 25, 75)
EVERY_COUNT = range(1, 101)
GRIDS = ((15, 1), (25, 3), (52, 5))
SEEDS = 400
WIND = 10.0
LOWER, UPPER = 0.652, 5.946

Array = NDArray[np.float64]


def components(sea: IrregularSea) -> dict[str, Array]:
    """The waves of a sea, by the names of their rows."""
    return dict(zip(ROWS, sea.evaluate().outputs["waves"], strict=True))


def height_error(sea: IrregularSea) -> float:
    """Of 4 √(Σ a²/2), relative to the height that was asked for."""
    return float(4.0 * np.sqrt(0.5 * (components(sea)["amplitude"] ** 2).sum()) / sea.significant_height) - 1.0


def error_of_densities(count: int) -> float:
    """The same for waves of ½ a² = S(f) Δf, f in the middle of bands of equal step; S over x = f/f_p with m_0 = 1."""
    width = (UPPER - LOWER) / count
    x = LOWER + (np.arange(count) + 0.5) * width
    return float(np.sqrt((5.0 * x**-5 * np.exp(-1.25 * x**-4)).sum() * width)) - 1.0


def heights() -> dict[str, dict[str, Any]]:
    """Errors of the height by the number of bands, and the greatest of all."""
    figures: dict[str, dict[str, Any]] = {}
    for count in COUNTS:
        sea = PiersonMoskowitzSea(WIND, frequencies=count, directions=1, bands="equal-step")
        figures[f"{count} bands: here"] = {"value": 100.0 * height_error(sea), "unit": "%"}
        figures[f"{count} bands: densities"] = {"value": 100.0 * error_of_densities(count), "unit": "%"}
    greatest = max(
        abs(height_error(PiersonMoskowitzSea(WIND, frequencies=count, directions=directions, bands=bands)))
        for count, directions, bands in product(EVERY_COUNT, (1, 5), BANDS)
    )
    figures["greatest error here"] = {"value": greatest, "unit": ""}
    return figures


def scatter(seeds: int) -> dict[str, dict[str, Any]]:
    """Mean and standard deviation of T_z and of the slope over seeds, by numbers and kinds of bands."""
    figures: dict[str, dict[str, Any]] = {}
    for (frequencies, directions), bands in product(GRIDS, BANDS):
        periods, slopes = np.empty(seeds), np.empty(seeds)
        for seed in range(seeds):
            sea = JonswapSea(2.0, 8.0, frequencies=frequencies, directions=directions, bands=bands, seed=seed)
            waves = components(sea)
            energy = 0.5 * waves["amplitude"] ** 2
            periods[seed] = 2.0 * np.pi * np.sqrt(energy.sum() / (energy * waves["omega"] ** 2).sum())
            slopes[seed] = np.sqrt((energy * waves["k"] ** 2).sum())
        for name, values, unit in (("T_z", periods, "s"), ("slope", slopes, "")):
            figures[f"{frequencies} · {directions}, {bands}: {name}"] = {
                "value": float(values.mean()), "deviation": float(values.std()), "unit": unit
            }  # fmt: skip
    return figures


def tables(figures: dict[str, dict[str, Any]], seeds: int) -> str:
    """Both tables as they stand in docs/waves.md."""
    lines = ["| bands of frequency | error of H_s, here | error of H_s, densities at the middles |", "|---|---|---|"]
    for count in COUNTS:
        here, densities = (figures[f"{count} bands: {name}"]["value"] for name in ("here", "densities"))
        lines.append(f"| {count} | {0 if abs(here) < 1e-10 else here:.2g} | {densities:+.2g} % |")
    greatest = figures["greatest error here"]["value"]
    lines += [
        f"greatest error here, 1 to {EVERY_COUNT[-1]} bands of both kinds, 1 and 5 directions: {greatest:.1e}",
        "",
    ]
    cells = [f"{name}, {bands.replace('-', ' ')}" for bands in BANDS for name in ("T_z", "slope")]
    lines += ["| frequencies · directions | " + " | ".join(cells) + " |", "|---|---|---|---|---|"]
    for frequencies, directions in GRIDS:
        cells = []
        for bands in BANDS:
            period, slope = (figures[f"{frequencies} · {directions}, {bands}: {name}"] for name in ("T_z", "slope"))
            cells.append(f"{period['value']:.2f} ± {period['deviation']:.2f} s")
            digits = 4 if slope["deviation"] < 0.005 else 3
            cells.append(f"{slope['value']:.{digits}f} ± {slope['deviation']:.{digits}f}")
        lines.append(f"| {frequencies} · {directions} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, f"means and standard deviations over {seeds} seeds"])


def main() -> int:
    """Compute and print."""
    options = over_seeds(__doc__, SEEDS).parse_args()
    figures = heights() | scatter(options.seeds)
    if options.json:
        show("", figures, True)
    else:
        print(tables(figures, options.seeds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
