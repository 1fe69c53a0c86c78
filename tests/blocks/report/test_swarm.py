"""Pictures of swarms show each vehicle where it is, as it is turned, on the sea as it is then."""

from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from PIL import Image

from blocks import Diagram, Swarm, style
from blocks.basic import Compare, Constant, Selector
from blocks.dynamics import DiagonalVessel3DOF
from blocks.environment import RegularWave
from blocks.errors import ParameterError
from blocks.report import film, swarm
from blocks.report.swarm import draw_swarm, swarm_animation
from blocks.run.result import ResultError

SEA = RegularWave(0.5, 4.0, "30 deg")
AHEAD = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
HEADINGS = np.radians([0.0, 90.0, 170.0])


@pytest.fixture(scope="module")
def result():
    """Three on straight courses from one line, the second of which stops after 2 m."""
    diagram = Diagram("boat")
    vessel = diagram.add(
        "vessel", DiagonalVessel3DOF(inertia=(1.0, 1.0, 1.0), linear_damping=(0.0, 0.0, 0.0), initial_nu=AHEAD)
    )
    far = diagram.add("far", Compare(">="))
    east = diagram.add("east", Selector([1]))
    diagram.connect(diagram.add("push", Constant(np.zeros(6))).y, vessel.force)
    diagram.connect(vessel.eta, east.u)
    diagram.connect(east.y, far.input_port("u1"))
    diagram.connect(diagram.add("limit", Constant(7.0)).y, far.input_port("u2"))
    start = np.zeros((3, 6))
    start[:, 1], start[:, 5] = [0.0, 5.0, 10.0], HEADINGS
    swarm = Swarm(diagram, 3, parameters={"vessel.initial_eta": start, "limit.value": [99.0, 7.0, 99.0]})
    return swarm.run(10.0, step=0.1, record="vessel.eta", stop="far.y")


def drawn(result, **options):
    ax = Figure().add_subplot()
    draw_swarm(ax, SEA, result, points=16, **options)
    tracks, hulls = ax.collections
    return ax, tracks.get_segments(), [path.vertices[:5] for path in hulls.get_paths()], hulls


def test_hulls_stand_where_the_vehicles_are_and_point_ahead(result):
    ax, tracks, hulls, shapes = drawn(result)
    eta = result.values("vessel.eta")
    places = np.array([eta[0, -1, :2], [0.0, 7.0], eta[2, -1, :2]])
    for hull, track, place, heading in zip(hulls, tracks, places, HEADINGS, strict=True):
        np.testing.assert_allclose(track[-1], place[::-1], atol=0.11)
        bow, stern = hull[0], hull[2:4].mean(axis=0)
        np.testing.assert_allclose(0.5 * (bow + stern), place[::-1], atol=0.11)
        ahead = (bow - stern) / np.linalg.norm(bow - stern)
        np.testing.assert_allclose(ahead, [np.sin(heading), np.cos(heading)], atol=1e-9)
    assert result.status == ["end", "stopped", "end"]
    ends = [to_rgba(style.REFERENCE), to_rgba(style.GRID), to_rgba(style.REFERENCE)]
    np.testing.assert_allclose(shapes.get_facecolors(), ends)
    west, east, south, north = ax.images[0].get_extent()
    assert west < places[:, 1].min() < places[:, 1].max() < east
    assert south < places[:, 0].min() < places[:, 0].max() < north


def test_between_points_all_go_straight(result):
    _, tracks, _, shapes = drawn(result, at=1.05, colours=["red", "green", "blue"])
    eta = result.values("vessel.eta")[:, :, :2]
    for track, place in zip(tracks, eta, strict=True):
        np.testing.assert_allclose(track[-1], 0.5 * (place[10] + place[11])[::-1], atol=1e-9)
    np.testing.assert_allclose(shapes.get_facecolors(), [to_rgba(c) for c in ("red", "green", "blue")])


def test_an_animation_moves(result, tmp_path):
    path = swarm_animation(SEA, result, tmp_path / "swarm.gif", duration=0.4, fps=5.0, start=1.0, end=3.0, points=16)
    with Image.open(path) as film:
        assert film.n_frames == 2
        first = np.asarray(film.convert("RGB"), dtype=float)
        film.seek(1)
        assert np.abs(np.asarray(film.convert("RGB"), dtype=float) - first).mean() > 1.0


def test_an_animation_keeps_the_place_of_its_axes(result, tmp_path, monkeypatch):
    """Numbers in the title grow with time; the picture does not move with them."""
    places = []

    @contextmanager
    def watched(figure, path, fps, background):
        with film.film(figure, path, fps, background) as take:

            def look():
                take()
                places.append(np.array([axes.get_position().bounds for axes in figure.axes]))
                figure.axes[0].set_title("a title\nof three\nlines")

            yield look

    monkeypatch.setattr(swarm, "film", SimpleNamespace(**vars(film) | {"film": watched}))
    swarm_animation(SEA, result, tmp_path / "swarm.gif", duration=0.6, fps=5.0, start=1.0, end=3.0, points=16)
    assert len(places) == 3
    np.testing.assert_array_equal(places[1:], [places[0]] * 2)


def test_what_cannot_be_shown_is_refused(result, tmp_path):
    ax = Figure().add_subplot()
    with pytest.raises(ResultError, match=r"'vessel\.nu' was not recorded"):
        draw_swarm(ax, SEA, result, pose="vessel.nu")
    with pytest.raises(ParameterError, match="draw_swarm: colours need one for each of 3 vehicles, not 1"):
        draw_swarm(ax, SEA, result, colours=["red"])
    with pytest.raises(ParameterError, match="draw_swarm wants a sea, such as JonswapSea or RegularWave, not Constant"):
        draw_swarm(ax, Constant(1.0), result)
    with pytest.raises(ParameterError, match=r"swarm_animation: end must be after start \(3 s\), not 2"):
        swarm_animation(SEA, result, tmp_path / "swarm.gif", start=3.0, end=2.0)
    with pytest.raises(ResultError, match="ending of an animation must be one of"):
        swarm_animation(SEA, result, tmp_path / "swarm.avi")
