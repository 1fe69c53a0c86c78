"""What the tests of pages share: one browser, and the pages of a few missions, made once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import pytest

from blocks.guidance import MissionPlan
from blocks.scenario import Scenario
from fmu.runtime.webassembly.module import is_built as engine_is_built
from studio.assets import is_built as parts_are_built
from studio.share import page_of

if TYPE_CHECKING:
    from pages import Tab
    from playwright.sync_api import Browser

EXAMPLES = Path(__file__).parents[2] / "examples"


def _short() -> Scenario:
    scenario = Scenario.load(EXAMPLES / "minerva_los.yaml")
    scenario.settings |= {"step": 0.02, "end": 60.0}
    return scenario


def _otter() -> Scenario:
    scenario = Scenario.load(EXAMPLES / "otter_los.yaml")
    scenario.settings |= {"solver": "dopri5", "end": 600.0, "every": 20}
    return scenario


def _phases(*phases: Any) -> Scenario:
    """Minerva's mission with other phases."""
    scenario = Scenario.load(EXAMPLES / "minerva_mission.yaml")
    (path,) = (name for name, block in scenario.diagram.blocks().items() if isinstance(block, MissionPlan))
    scenario.set(f"{path}.phases", list(phases))
    scenario.settings |= {"step": 0.02, "end": 120.0}
    return scenario


MISSIONS: dict[str, Callable[[], Scenario]] = {
    "los": lambda: Scenario.load(EXAMPLES / "minerva_los.yaml"),
    "survey": lambda: Scenario.load(EXAMPLES / "minerva_survey.yaml"),
    "otter": _otter,
    "short": _short,
    "phases": lambda: Scenario.load(EXAMPLES / "minerva_mission.yaml"),
    "at_once": lambda: _phases({"go to": [0, 0]}, {"go to": [10, 0]}, {"hold": "5 s"}),
    "nowhere": lambda: _phases({"hold": "5 s"}),
}
"""The short one is the published mission up to its second leg, by steps that take but a few ms."""


@pytest.fixture(scope="session")
def mission() -> Callable[[str], Scenario]:
    """Makes a scenario by its name, as its page has it."""
    return lambda name: MISSIONS[name]()


@pytest.fixture(scope="session")
def pages_can_be_made() -> None:
    """Skip where they cannot."""
    if not parts_are_built():
        pytest.skip("the pages are not built here: `make studio` does that")
    if not engine_is_built():
        pytest.skip("the engine is not built for WebAssembly here: `make platforms` does that")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pages are written."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def written(folder: Path, pages_can_be_made: None) -> Callable[[str], Path]:
    """The page of a mission by its name, written once."""

    def get(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            path.write_bytes(page_of(MISSIONS[name](), with_yaml=True).encode())
        return path

    return get


_FONTS = """<fontconfig>
<dir>{fonts}</dir>
<cachedir>{fonts}/cache</cachedir>
<match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
<alias binding="same"><family>system-ui</family><prefer><family>DejaVu Sans</family></prefer></alias>
<alias binding="same"><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
<alias binding="same"><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
<alias binding="same"><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
<match target="font">
<edit name="antialias" mode="assign"><bool>true</bool></edit>
<edit name="hinting" mode="assign"><bool>true</bool></edit>
<edit name="hintstyle" mode="assign"><const>hintslight</const></edit>
<edit name="rgba" mode="assign"><const>none</const></edit>
</match>
</fontconfig>
"""


@pytest.fixture(scope="session")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A configuration of fonts that has DejaVu's alone, as Matplotlib brings them: pictures know no others."""
    folder = tmp_path_factory.mktemp("fonts")
    for file in (Path(matplotlib.get_data_path()) / "fonts" / "ttf").glob("DejaVu*.ttf"):
        shutil.copy(file, folder)
    (folder / "fonts.conf").write_text(_FONTS.format(fonts=folder))
    return folder / "fonts.conf"


@pytest.fixture(scope="session")
def browser(pages_can_be_made: None, fonts: Path) -> Iterator[Browser]:
    """Chromium, started once, with the fonts of `fonts`."""
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")
    from pages import find_chromium
    from playwright.sync_api import sync_playwright

    path = find_chromium()
    if path is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-color-profile=srgb"]
    environment: dict[str, str | float | bool] = {**os.environ, "FONTCONFIG_FILE": str(fonts)}
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=arguments, env=environment)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser, written: Callable[[str], Path]) -> Iterator[Callable[..., Tab]]:
    """Opens the page of a mission, or a file, and closes it after the test; it may not have complained of anything."""
    from pages import open_tab, url_of

    tabs: list[Tab] = []

    def get(what: str | Path = "short", fragment: str = "", **settings: Any) -> Tab:
        path = what if isinstance(what, Path) else written(what)
        tabs.append(open_tab(browser, url_of(path, fragment), **settings))
        return tabs[-1]

    yield get
    complaints = [text for tab in tabs for text in tab.complaints]
    for tab in tabs:
        tab.page.context.close()
    assert not complaints
