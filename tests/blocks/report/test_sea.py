"""Pictures of seas show what the kernels compute, north up, and refuse what is no sea."""

import numpy as np
import pytest
from PIL import Image

from blocks.basic import Constant
from blocks.environment import JonswapSea, RegularWave, TorsethaugenSea
from blocks.errors import ParameterError
from blocks.report.sea import directional_spectrum_figure, elevation_map_figure, sea_animation, spectrum_figure
from blocks.run.result import ResultError


def test_the_spectrum_and_its_components():
    sea = TorsethaugenSea(2.0, 4.5, frequencies=6)
    figure = spectrum_figure(sea)
    left, right = figure.axes
    f, density = left.lines[0].get_data()
    assert 4.0 * np.sqrt(np.trapezoid(density, f)) == pytest.approx(2.0, rel=1e-9)
    stems = np.array(right.collections[0].get_segments())
    waves = sea.evaluate().outputs["waves"]
    assert stems[:, 0, 0] == pytest.approx(waves[0] / (2.0 * np.pi))
    assert stems[:, 1, 1] == pytest.approx(waves[4])


@pytest.mark.parametrize("directions", [1, 3])
def test_directions_are_those_that_waves_travel_to(directions):
    sea = JonswapSea(2.0, 8.0, direction="90 deg", directions=directions, placement="middle", frequencies=5)
    ax = directional_spectrum_figure(sea).axes[0]
    dots = np.asarray(ax.collections[-1].get_offsets())
    assert np.mean(dots[:, 0]) == pytest.approx(np.pi / 2.0)
    assert (ax.get_theta_offset(), ax.get_theta_direction()) == (np.pi / 2.0, -1)  # north up, clockwise


@pytest.mark.parametrize(("direction", "axis"), [("0 deg", 0), ("90 deg", 1)])
def test_the_map_has_north_up_and_east_to_the_right(direction, axis):
    """One crest, which a quarter of a period later is a quarter of a wave length further on."""
    wave = RegularWave(0.5, 4.0, direction)
    length = 9.81 * 16.0 / (2.0 * np.pi)
    for t, place in ((0.0, 0.0), (1.0, 0.25)):
        image = elevation_map_figure(wave, t, extent=length, points=81).axes[0].images[0]
        assert image.origin == "lower"
        assert np.ptp(image.get_array(), axis=1 - axis).max() < 0.02
        blue = np.asarray(image.get_array())[..., 0].take(0, axis=1 - axis)
        crest = np.linspace(-0.5, 0.5, 81)[np.argmax(blue)]
        assert crest == pytest.approx(place, abs=0.12)  # the light shifts it to its side


def test_an_animation_moves(tmp_path):
    path = sea_animation(JonswapSea(2.0, 8.0), tmp_path / "sea.gif", duration=0.4, fps=5.0, points=16)
    with Image.open(path) as film:
        assert film.n_frames == 2
        frames = []
        for number in range(2):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB"), dtype=float))
    assert np.abs(frames[1] - frames[0]).mean() > 1.0
    left_of_axes = [frame[:, :60] for frame in frames]  # labels of the first frame stay where they are
    assert np.array_equal(*left_of_axes)


def test_colours_reach_as_far_as_the_surface_can() -> None:
    for wave, limit in (
        (RegularWave(0.5, 4.0), 0.5),
        (JonswapSea(0.0, 8.0), 1.0),
        (JonswapSea(2.0, 8.0), 1.2 * 2.0**0.5),
    ):
        figure = elevation_map_figure(wave, points=16)
        assert figure.axes[0].images[0].norm.vmax == pytest.approx(limit, rel=2e-3)
    assert "0.5 m" in elevation_map_figure(RegularWave(0.5, 4.0), points=16).axes[0].get_title(loc="left")


@pytest.mark.parametrize(
    ("show", "error", "message"),
    [
        (lambda: spectrum_figure(RegularWave(0.1, 4.0)), ParameterError,
         r"spectrum_figure wants an irregular sea, such as JonswapSea, not RegularWave"),
        (lambda: directional_spectrum_figure(Constant(1.0)), ParameterError,
         r"directional_spectrum_figure wants an irregular sea, .* not Constant"),
        (lambda: elevation_map_figure(Constant(1.0)), ParameterError,
         r"elevation_map_figure wants a sea, such as JonswapSea or RegularWave, not Constant"),
        (lambda: elevation_map_figure(JonswapSea), ParameterError, r"wants a sea, such as JonswapSea .*, not type"),
        (lambda: elevation_map_figure(RegularWave(0.1, 4.0), extent=-1.0), ParameterError,
         r"elevation_map_figure: extent must be > 0 m, not -1"),
        (lambda: sea_animation(RegularWave(0.1, 4.0), "sea.avi"), ResultError,
         r"sea.avi: the ending of an animation must be one of .gif, .mp4"),
        (lambda: sea_animation(RegularWave(0.1, 4.0), "sea.gif", fps=0.0), ParameterError,
         r"sea_animation: fps must be ≥ 0.1 and ≤ 50 1/s, not 0"),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_refused(show, error, message):
    with pytest.raises(error, match=message):
        show()
