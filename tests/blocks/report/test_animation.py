"""Animations: what the frames show, how they follow each other in time, and messages."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from blocks import Diagram, Result, simulate, style
from blocks.basic import Constant
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.errors import ParameterError
from blocks.report import animate
from blocks.report.film import has_ffmpeg
from blocks.report.hull import turned_hull
from blocks.report.motion import Motion
from blocks.run.result import ResultError

SMALL: dict[str, Any] = {"size": (200, 180), "fps": 1.0, "duration": 4.0}
ORANGE = np.array(mpl.colors.to_rgb(style.REFERENCE)) * 255.0


def voyage(vessel: Any = None, end: float = 4.0, **settings: Any) -> Result:
    """A vessel without forces, which keeps the velocity that it starts with."""
    diagram = Diagram("voyage")
    still = diagram.add("still", Constant([0.0] * 6))
    hull = diagram.add("vessel", vessel or eastward())
    diagram.connect(still.y, hull.force)
    return simulate(diagram, end=end, step=0.1, **settings)


def eastward(**parameters: Any) -> Vessel6DOF:
    """On its way to the east and down at 1 m/s each."""
    start = {"initial_eta": [0, 0, 0, 0, 0, np.pi / 2], "initial_nu": [1.0, 0, 1.0, 0, 0, 0]} | parameters
    return Vessel6DOF(rigid_body_inertia=np.eye(6), **start)


def frames(path: Path) -> list[NDArray[np.float64]]:
    """The frames of a GIF, height × width × 3."""
    shown = []
    with Image.open(path) as film:
        for number in range(film.n_frames):
            film.seek(number)
            shown.append(np.asarray(film.convert("RGB"), dtype=float))
    return shown


def centre(frame: NDArray[np.float64], colour: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where a colour is, in pixels to the right and down, whether in the light or not."""
    share = frame / np.maximum(np.linalg.norm(frame, axis=2, keepdims=True), 1.0)
    alike = (share @ (colour / np.linalg.norm(colour)) > 0.995) & (frame.min(axis=2) < 60.0)
    assert alike.any()
    return np.array([np.flatnonzero(alike.any(axis=0)).mean(), np.flatnonzero(alike.any(axis=1)).mean()])


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[float, float]]]:
    """The voyage as seen from the south, and what was heard of its progress."""
    heard: list[tuple[float, float]] = []
    path = animate(
        voyage(), "vessel", tmp_path_factory.mktemp("film") / "deep" / "voyage.gif", azimuth=np.pi, elevation=0.2,
        title="A voyage whose title is much longer than there is room for", progress=lambda *t: heard.append(t), **SMALL
    )  # fmt: skip
    return path, heard


def test_a_vessel_that_goes_east_and_down_does_so(film: tuple[Path, object]) -> None:
    bows = np.array([centre(frame, ORANGE) for frame in frames(film[0])])
    moved = np.diff(bows, axis=0)
    assert (moved[:, 0] > 5.0).all()
    assert (moved[:, 1] > 5.0).all()
    np.testing.assert_allclose(moved, [moved.mean(axis=0)] * 3, atol=2.0)


def test_the_bow_is_ahead(film: tuple[Path, object]) -> None:
    first = frames(film[0])[0]
    blue = first[:, :, 2] - first[:, :, 0] > 100.0  # nothing else is, before there is a path
    assert 20 < blue.sum() < 200
    assert centre(first, ORANGE)[0] > np.flatnonzero(blue.any(axis=0)).mean() + 3.0


def test_the_frames_stand_at_equal_intervals_over_the_whole_run(film: tuple[Path, list[tuple[float, float]]]) -> None:
    np.testing.assert_allclose(film[1], [(0.0, 4.0), (4 / 3, 4.0), (8 / 3, 4.0), (4.0, 4.0)], atol=1e-12)
    with Image.open(film[0]) as gif:
        assert (gif.n_frames, gif.info["duration"], gif.info["loop"], gif.size) == (4, 1000, 0, (200, 180))


def test_the_background_is_white_in_each_frame_and_the_file_small(film: tuple[Path, object]) -> None:
    for frame in frames(film[0]):
        assert (frame[[0, -1]] == 255.0).mean() > 0.95
    assert film[0].stat().st_size < 40_000
    assert list(film[0].parent.iterdir()) == [film[0]]


@pytest.mark.parametrize(("fps", "hundredths"), [(30.0, 3), (12.5, 8), (7.0, 14)])
def test_a_gif_lasts_as_long_as_it_shall(fps: float, hundredths: int) -> None:
    """Its frames last whole hundredths of a second; the number of frames makes up for that."""
    path = animate(voyage(), "vessel", "short.gif", fps=fps, duration=0.5, size=(160, 160))
    with Image.open(path) as gif:
        assert gif.info["duration"] == 10 * hundredths
        assert gif.n_frames == round(50 / hundredths)


def test_a_vessel_in_the_plane_with_waypoints_in_true_scale() -> None:
    before = dict(mpl.rcParams)
    result = voyage(Vessel3DOF.diagonal(m=(1, 1, 1), d=(0, 0, 0), initial_nu=[1.0, 0, 0, 0, 0, 0.5]))
    goals = [[0, 0, 0], [4, 2, 0], [4, 2, 0]]
    look = SMALL | {"size": (333, 251), "title": r"$\frac{1$ is no formula"}
    path = animate(result, "vessel", "plane.GIF", waypoints=goals, length="2 m", **look)
    first, *_, last = frames(path)
    assert first.shape == (251, 333, 3)
    orange = [(np.abs(frame - ORANGE).sum(axis=2) < 150.0).sum() for frame in (first, last)]
    assert min(orange) > 100
    assert centre(first, ORANGE).tolist() != centre(last, ORANGE).tolist()
    assert dict(mpl.rcParams) == before


# --- the hull and its motion -----------------------------------------------------------------------------------------


def rotation(vessel: Vessel6DOF) -> NDArray[np.float64]:
    """How a vessel is turned at the beginning of a run."""
    return Motion.of(voyage(vessel, end=0.1), "vessel").at(np.array([0.0]))[1][0]


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_the_hull_is_turned_by_the_attitude(attitude: str) -> None:
    """Heading east, pitched up by 30° and rolled by 90° to starboard, the fin is to the south."""
    turn = rotation(eastward(attitude=attitude, initial_eta=[0, 0, 0, np.pi / 2, np.pi / 6, np.pi / 2]))
    faces, colours = turned_hull(turn)
    corners = np.vstack(faces)
    bow = corners[np.argmax(corners @ turn[:, 0])]
    np.testing.assert_allclose(turn[:, 0], [0.0, np.cos(np.pi / 6), -0.5], atol=1e-12)
    assert bow[1] > 0.4
    assert bow[2] < -0.2
    fin = faces[-1].mean(axis=0)
    assert fin[0] < -0.2
    assert np.ptp(corners @ turn[:, 0]) == pytest.approx(1.0)
    assert ((colours >= 0.0) & (colours <= 1.0)).all()


def test_faces_in_the_light_are_bright() -> None:
    """The light comes from above: of a hull on its keel the deck is the brighter one, of one on its back the keel."""
    upright, over = np.eye(3), np.diag([1.0, -1.0, -1.0])
    for turn, deck, keel in ((upright, 0, 2), (over, 2, 0)):
        _, colours = turned_hull(turn)
        assert colours[deck].sum() > 1.5 * colours[keel].sum()


def test_normals_point_outwards() -> None:
    """Each face of the closed body lies on that side of its middle to which its normal points."""
    from blocks.report.hull import _HULL

    for corners, normal, _ in _HULL[:-1]:
        assert np.linalg.norm(normal) == pytest.approx(1.0)
        assert corners.mean(axis=0) @ normal > 0.1
        assert np.ptp(corners @ normal) == pytest.approx(0.0, abs=1e-12)


def test_headings_are_interpolated_on_the_shortest_way() -> None:
    turning = eastward(initial_eta=[0, 0, 0, 0, 0, np.radians(179.0)], initial_nu=[0, 0, 0, 0, 0, np.radians(20.0)])
    motion = Motion.of(voyage(turning, end=0.1, every=1), "vessel")
    _, turn = motion.at(np.linspace(0.0, 0.1, 5))
    headings = np.degrees(np.arctan2(turn[:, 1, 0], turn[:, 0, 0])) % 360.0
    np.testing.assert_allclose(headings, [179.0, 179.5, 180.0, 180.5, 181.0], atol=1e-9)


# --- messages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vessel", "path", "options", "message"),
    [
        ("vesel", "a.gif", {}, r"no vessel 'vesel' in this result; did you mean 'vessel'\?"),
        ("vessel.eta", "a.gif", {}, "no vessel 'vessel.eta' in this result; did you mean 'vessel'"),
        ("still", "a.gif", {}, "'still.eta' was not recorded, and the motion is read from it: record it, too"),
        ("vessel", "a.png", {}, r"a.png: the ending of an animation must be one of .gif, .mp4$"),
        ("vessel", "a", {}, "a: the ending of an animation must be one of .gif, .mp4"),
        ("vessel", "a.gif", {"fps": 0}, "animate: fps must be ≥ 0.1 and ≤ 50 1/s, not 0"),
        ("vessel", "a.gif", {"fps": 100}, "animate: fps must be ≥ 0.1 and ≤ 50 1/s, not 100"),
        ("vessel", "a.gif", {"duration": "1 m"}, "animate: duration"),
        ("vessel", "a.gif", {"elevation": "100 deg"}, "animate: elevation must be"),
        ("vessel", "a.gif", {"size": (640, 10)}, "animate: size"),
        ("vessel", "a.gif", {"size": 640}, "animate: size"),
        ("vessel", "a.gif", {"length": 0}, "animate: length must be > 0"),
        ("vessel", "a.gif", {"waypoints": [[0, 1]]}, "animate: waypoints"),
    ],
)
def test_what_cannot_be_is_said(vessel: str, path: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises((ResultError, ParameterError), match=message):
        animate(voyage(end=0.2), vessel, path, **options)
    assert not list(Path().iterdir())


def test_a_result_without_a_pose() -> None:
    result = voyage(end=0.2, record="vessel.nu")
    with pytest.raises(ResultError, match=r"'vessel\.eta' was not recorded, and the motion is read from it"):
        animate(result, "vessel", "a.gif")
    with pytest.raises(ResultError, match="no vessel 'boat' in this result: no output eta was recorded at all"):
        animate(result, "boat", "a.gif")


def test_a_result_with_one_point_does_not_move() -> None:
    whole = voyage(end=0.2)
    eta = whole.places["vessel.eta"]
    result = Result(whole.time[:1], {"vessel.eta": eta}, {"vessel.eta": slice(0, 6)}, np.zeros((1, 6)), {})
    with pytest.raises(ResultError, match=r"'vessel\.eta' has 1 recorded point; a motion has two or more"):
        animate(result, "vessel", "a.gif")


def test_a_pose_that_is_not_a_number() -> None:
    result = voyage(end=0.2)
    result.values("vessel.eta")[1, 3] = np.nan
    with pytest.raises(ResultError, match=r"'vessel\.eta' is not a finite number at t = 0\.1 s"):
        animate(result, "vessel", "a.gif")


def test_a_place_that_cannot_be_written_to() -> None:
    Path("file").touch()
    with pytest.raises(ResultError, match=r"cannot write file.a\.gif: "):
        animate(voyage(end=0.2), "vessel", "file/a.gif", **SMALL)
    Path("folder.gif").mkdir()
    with pytest.raises(ResultError, match=r"cannot write folder\.gif: it is a folder"):
        animate(voyage(end=0.2), "vessel", "folder.gif")


def test_without_ffmpeg_there_is_no_mp4_and_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ResultError, match=r"a\.mp4: MP4 needs the program ffmpeg.*apt install.*or write a \.gif"):
        animate(voyage(end=0.2), "vessel", "a.mp4")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_an_ffmpeg_that_fails_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin" / "ffmpeg"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\n[ "$1" = -version ] && exit 0\necho "Unknown encoder" >&2\nexit 1\n', encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(ResultError, match="cannot write the MP4; ffmpeg said: Unknown encoder"):
        animate(voyage(end=0.2), "vessel", "a.mp4", **SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


@pytest.mark.skipif(not has_ffmpeg(), reason="needs ffmpeg")
def test_an_mp4_is_one() -> None:
    path = animate(voyage(), "vessel", "voyage.mp4", **SMALL)
    assert path.read_bytes()[4:8] == b"ftyp"
