"""What is said of hydrodynamic data that cannot be those of a hull: the Wigley hull's, with faults put in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import blocks.hydro
from blocks.hydro.data_checks import remarks
from blocks.hydro.errors import HydroWarning
from blocks.hydro.files import load, save

DATA = Path(__file__).parents[3] / "examples" / "wigley_in_waves" / "wigley.nc"


@pytest.fixture
def data() -> xr.Dataset:
    return load(DATA).copy(deep=True)


def blip(data: xr.Dataset, at: float, width: float, share: float) -> None:
    """A resonance of heave as irregular frequencies have it: causal, so that the fit can meet it."""
    waves = np.isfinite(data["omega"].values)
    w = data["omega"].values[waves]
    added, damping = (data[name].values for name in ("added_mass", "radiation_damping"))
    response = share * damping[waves, 2, 2].max() / (1.0 + 1j * (w - at) / width)
    damping[waves, 2, 2] += response.real
    added[waves, 2, 2] += response.imag / w


def test_nothing_is_said_of_data_that_are_as_they_must_be(data: xr.Dataset) -> None:
    assert remarks(data) == []


def test_what_one_does_in_the_other_must_be_the_same(data: xr.Dataset) -> None:
    added = data["added_mass"].values
    added[:, 1, 3] *= 1.05
    assert remarks(data) == []
    added[:, 1, 3] *= 1.3
    (said,) = remarks(data)
    assert "off symmetry: what Sway does in Roll differs so much" in said
    assert "take more panels, --panels, panels= in Python, until this is below 8 %" in said


def test_a_hull_gains_nothing_from_its_waves(data: xr.Dataset) -> None:
    data["radiation_damping"].values[:, 5, 5] *= -0.2
    assert any("radiation damping is negative at" in said for said in remarks(data))


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_loads_go_with_damping(data: xr.Dataset, factor: float) -> None:
    """As when they were taken with another density or length: Haskind's relation, squared in the loads."""
    data["excitation_force"] = factor * data["excitation_force"]
    (said,) = remarks(data)
    assert f"those of heave mean {factor**2:.2g}"[:-1] in said


@pytest.mark.parametrize("width", [0.01, 0.04, 0.08])
def test_an_irregular_frequency_is_seen(data: xr.Dataset, width: float) -> None:
    """Narrow or broad as three frequencies, at 30 % of the greatest damping."""
    blip(data, 1.71, width, 0.3)
    (said,) = remarks(data)
    assert said.startswith("Heave jumps by ")
    assert "at 1.7 rad/s" in said


def test_who_opens_data_is_told(data: xr.Dataset, tmp_path: Path) -> None:
    data["excitation_force"] = 2.0 * data["excitation_force"]
    save(data, tmp_path / "hull.nc")
    with pytest.warns(HydroWarning, match=r"hull\.nc: loads of waves and damping do not go together") as told:
        blocks.hydro.open(tmp_path / "hull.nc")
    assert told[0].filename == __file__
