"""Comparison files, the command, and the report: one file that stands by itself."""

from __future__ import annotations

import base64
import io
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from blocks.cli.commands import cli
from blocks.errors import ScenarioError
from blocks.lab.comparison import Comparison

OTTER = Path(__file__).parents[3] / "examples" / "otter_los.yaml"

TEXT = f"""\
keelblocks_comparison: 1
name: short
title: Otter <b>& co</b>
description: Which lookahead distance & "why"?
scenario: {OTTER.as_posix()}
run: {{step: 0.2, end: 40}}
factors:
  lookahead: {{of: guidance.lookahead, levels: [4 m, 8 m]}}
  current.direction: {{circle: 3}}
metrics:
  error: rms(guidance.cross_track_error)
  offset: steady(guidance.cross_track_error)
  energy: used(meter.energy)
figures: [tracks, boxes]
"""

VOID = {"meta", "img", "br", "path", "rect", "circle", "line", "polygon", "ellipse", "use", "stop", "polyline"}


class Page(HTMLParser):
    """What an HTML parser sees: whether tags close, what the page refers to, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.sources += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        self.text += data


def written(folder: Path, text: str = TEXT) -> Path:
    path = folder / "short.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The command, run once: what it printed, and its folder."""
    folder = tmp_path_factory.mktemp("short")
    done = CliRunner().invoke(cli, ["lab", "compare", str(written(folder)), "--output", str(folder / "out")])
    return done, folder / "out"


def test_the_command_writes_table_figures_and_report(made) -> None:
    done, folder = made
    assert done.exit_code == 0, done.output
    assert "0 of 6 failed" in done.output
    assert re.search(r"lookahead +4 m +3 +0 ", done.output)
    assert re.search(r"current.direction +0° +2 +0 ", done.output)
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert names - {"table.parquet"} == {
        "report.html",
        "table.csv",
        *(f"figures/{name}.png" for name in ("tracks", "boxes")),
    }
    assert all(f"wrote {folder / name}" in done.output.replace("\n", "") for name in names)
    assert len((folder / "table.csv").read_text().splitlines()) == 7


def test_the_report_stands_by_itself(made) -> None:
    text = (made[1] / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert not [source for source in page.sources if not source.startswith(("data:image/png;base64,", "#"))]
    assert not {"script", "link", "iframe"} & set(page.tags)
    assert "@import" not in text
    assert "url(http" not in text
    assert page.tags.count("figure") == 2
    for source in page.sources:
        if source.startswith("data:"):
            with Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))) as image:
                assert image.width > 1000
                assert len(image.convert("L").getcolors() or range(99)) > 10  # something is drawn


def test_the_report_says_all_that_is_needed_to_run_it_again(made) -> None:
    page = Page((made[1] / "report.html").read_text(encoding="utf-8"))
    assert "Otter <b>& co</b>" in page.text  # escaped in the source
    assert 'Which lookahead distance & "why"?' in page.text
    assert TEXT in page.text
    assert OTTER.read_text(encoding="utf-8") in page.text
    assert re.search(r"keelblocks lab compare \S*short.yaml", page.text)
    for said in ("rms(guidance.cross_track_error)", "linear_damping", "Every parameter", "numbers", "0 of 6 failed"):
        assert said in page.text


def test_a_study_file_is_a_comparison_file_too(tmp_path) -> None:
    text = TEXT.replace("keelblocks_comparison: 1", "keelblocks_study: 1").replace("steady(", "final(")
    assert len(Comparison.load(written(tmp_path, text))) == 6


def test_every_figure_is_drawn_where_nothing_is_said(tmp_path) -> None:
    made = Comparison.load(written(tmp_path, TEXT.replace("figures: [tracks, boxes]\n", "")), end=5.0).run()
    figures = made.figures()
    assert list(figures) == ["tracks", "cross_track_error", "heading", "surge", "commands", "pareto", "boxes"]
    panels = {name: len(figure.axes) for name, figure in figures.items()}
    assert panels == dict.fromkeys(panels, 3)  # three directions, and three metrics
    assert len({axes.get_ylim() for axes in figures["boxes"].axes}) == 1  # rows go on from panel to panel
    lines = figures["commands"].axes[0].lines
    assert len(lines) == 4  # port and starboard at both lookahead distances
    assert figures["commands"].axes[0].get_ylabel() == "command, N"


def test_a_dry_run_and_json(tmp_path) -> None:
    path = written(tmp_path, TEXT.replace("end: 40", "end: 1").replace("[tracks, boxes]", "[boxes]"))
    told = CliRunner().invoke(cli, ["lab", "compare", str(path), "--dry-run"])
    assert re.search(r"members +6, along 2 lookahead × 3 current.direction", told.output)
    data = json.loads(
        CliRunner().invoke(cli, ["lab", "compare", str(path), "-o", str(tmp_path / "o"), "--json"]).output
    )
    assert data["members"] == 6
    assert data["failed"] == 0
    assert data["metrics"]["energy"] == {"unit": "J", "definition": "used(meter.energy)"}
    assert [level["level"] for level in data["levels"]] == ["4 m", "8 m", "0°", "120°", "240°"]
    assert [Path(name).name for name in data["files"] if name.endswith("png")] == ["boxes.png"]


def test_a_table_too_wide_for_the_terminal_becomes_several(tmp_path) -> None:
    more = "".join(f"  metric_with_a_long_name_{n}: final(vessel.eta[x])\n" for n in range(6))
    path = written(
        tmp_path,
        TEXT.replace("end: 40", "end: 1").replace("[tracks, boxes]", "[]").replace("figures", f"{more}figures"),
    )
    told = CliRunner().invoke(cli, ["lab", "compare", str(path), "-o", str(tmp_path / "o")]).output
    assert told.count("runs   failed") == 4
    assert not list((tmp_path / "o" / "figures").glob("*"))
    for n in range(6):
        assert re.search(rf"metric_with_a_long_name_{n}, m", told)
    assert max(map(len, told.splitlines())) <= 120


BAD = [
    (("offset: steady(", "offset: stedy("), r"short.yaml:12: metric 'offset': .*no 'stedy'; did you mean 'steady'"),
    (("steady(guidance.cross_track_error)", "steady(guidance.error)"),
     r"short.yaml:12: metric 'offset': no output 'guidance.error'"),
    (("of: guidance.lookahead", "of: guidance.lokahead"),
     r"short.yaml:8: factor 'lookahead': no parameter, input or component 'guidance.lokahead'; did you mean"),
    (("name: short", "name: short\nfigurs: [tracks]"), r"short.yaml:3: unknown key 'figurs'.*did you mean 'figures'"),
    (("name: short", "name: short\nshow: {compere: x}"), r"short.yaml:3: unknown key 'compere'.*mean 'compare'"),
    (("figures: [tracks", "figures: [trakcs"), r"short.yaml:14: figures: there is no figure 'trakcs'; did you"),
    (("name: short", "name: short\nobjectives: [error, x]"), r"short.yaml:3: objectives: there is no metric 'x'"),
    (("name: short", "name: short\nobjectives: [error]"), r"short.yaml:3: objectives: a list of two metrics, such as"),
    (("circle: 3", "levels: [0, 90]"), r"short.yaml:9: factor 'current.direction': an angle without a unit is in rad, "
     r"and 90 rad is 5156.62°; write '90 deg' if"),
    (("keelblocks_comparison: 1", "keelblocks_comparison: 2"), r"short.yaml:1: the format is 2, but this version"),
    (("keelblocks_comparison: 1", "keelblocks: 1"), r"a comparison is a mapping that begins with 'keelblocks_compar"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BAD, ids=[change[1][-24:] for change, _ in BAD])
def test_what_is_wrong_in_a_file_is_told_with_its_line(tmp_path, change, message) -> None:
    path = written(tmp_path, TEXT.replace(*change))
    with pytest.raises(ScenarioError, match=message):
        Comparison.load(path)


def test_the_command_shows_no_traceback(tmp_path) -> None:
    absent = CliRunner().invoke(cli, ["lab", "compare", str(tmp_path / "absent.yaml")])
    assert absent.exit_code == 2
    assert "there is no comparison" in absent.output
    assert "a comparison begins with" in CliRunner().invoke(cli, ["lab", "compare", os.devnull]).output
    (tmp_path / "file").touch()
    path = written(tmp_path)
    full = CliRunner().invoke(cli, ["lab", "compare", str(path), "--output", str(tmp_path / "file" / "out")])
    assert full.exit_code == 2
    assert f"cannot write to {tmp_path / 'file' / 'out'}" in full.output.replace("\n", "")
