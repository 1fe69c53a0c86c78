"""What the words say is true: their Python runs and prints what stands below it, their links lead somewhere."""

from __future__ import annotations

import builtins
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click
import pytest

import blocks
from blocks.block import library
from blocks.cli.commands import cli
from blocks.model.block import REGISTERED
from blocks.scenario import Scenario

ROOT = Path(__file__).resolve().parents[2]
GUIDE = [
    page
    for folder in ("docs", "docs/coming_from", "docs/fmus", "docs/learning", "docs/tutorial")
    for page in (ROOT / folder).glob("*.md")
]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *GUIDE])
RUN_PAGE = Path(__file__).with_name("run_page.py")
_RUNNER = runpy.run_path(str(RUN_PAGE))
fences, run_page = _RUNNER["fences"], _RUNNER["run"]
EXAMPLE_PAGES = runpy.run_path(str(ROOT / "docs" / "example_pages.py"))["PAGES"]

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)


def fenced(page: Path, language: str) -> list[Any]:
    """The fenced blocks of a page in one language."""
    return [fence for fence in fences(page.read_text(encoding="utf-8")) if fence.language == language]


def own_blocks() -> dict[str, Any]:
    """The blocks of this library."""
    return {name: cls for name, cls in library().items() if cls.__module__.split(".")[0] == "blocks"}


# --- Python, YAML and commands ---------------------------------------------------------------------------------------


with_python = pytest.mark.parametrize(
    "page", [page for page in PAGES if fenced(page, "python")], ids=lambda path: path.stem
)


LONG = {
    "ecos",
    "fmpy",
    "identification_free_running",
    "import",
    "mission",
    "ssp_osp",
    "swarms",
    "tanker_turns",
    "waves",
}
"""Pages that take a second and more; the slow test below runs them, as it does all."""


@pytest.mark.parametrize(
    "page", [page for page in PAGES if fenced(page, "python") and page.stem not in LONG], ids=lambda path: path.stem
)
def test_the_python_of_a_page_runs_and_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    """The examples are beside it, as in a clone. The blocks that it declares go when it ends."""
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    try:
        assert run_page(page) == []
    finally:
        for name in [name for name, cls in REGISTERED.items() if cls.__module__ == "page"]:
            del REGISTERED[name]


@pytest.mark.slow
@with_python
def test_a_page_needs_nothing_that_was_imported_before(page: Path, tmp_path: Path) -> None:
    """In a process of its own. Tools in C print where they like, so the exit code counts."""
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    ran = subprocess.run(
        [sys.executable, "-W", "error", RUN_PAGE, page],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_page_that_is_wrong_is_found_out(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\nprint(x)\n```\n```text\n2\n```\n\n```python\nx.y\n```\n", encoding="utf-8")
    wrong, broken = run_page(page)
    assert "page.md:2: expected\n2\nbut got\n1" in wrong
    assert "page.md:10: " in broken
    assert "AttributeError: 'int' object has no attribute 'y'" in broken
    page.write_text("```python\n1 / 0\n```\n```text\nZeroDivisionError: ...\n```\n", encoding="utf-8")
    assert run_page(page) == []


def test_the_code_of_the_readme_is_the_quickstart() -> None:
    (readme,) = fenced(ROOT / "README.md", "python")
    example = (ROOT / "examples" / "quickstart.py").read_text(encoding="utf-8")
    assert example.partition('"""\n\n')[2] == readme.text


@every_page
def test_complete_scenarios_can_be_run(page: Path) -> None:
    for fence in fenced(page, "yaml"):
        if fence.text.startswith("keelblocks:"):
            Scenario.from_text(fence.text, f"{page.name}:{fence.line}").check()


@every_page
def test_commands_and_their_options_exist(page: Path) -> None:
    for fence in fenced(page, "console"):
        for line in re.findall(r"^\$ .*?keelblocks (.+)$", fence.text, re.MULTILINE):
            words = re.sub(r"--import \S+ ", "", line.partition("|")[0]).split()
            command: click.Command | None = cli
            while isinstance(command, click.Group):
                command = command.get_command(click.Context(command), words.pop(0))
            assert command is not None, line
            known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
            assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known, line


@every_page
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for fence in fenced(page, "console"):
        for line in re.findall(r"^\$ make +([a-z -]*?) *(?:#.*)?$", fence.text, re.MULTILINE):
            assert set(line.split()) <= targets, line


def test_every_command_is_in_the_table_of_commands() -> None:
    assert isinstance(cli, click.Group)
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    missing = [name for name in cli.list_commands(click.Context(cli)) if f"`keelblocks {name}" not in page]
    assert missing == []


# --- links and names -------------------------------------------------------------------------------------------------


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and MyST make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """What a link into a page may point to."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


@every_page
def test_internal_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text))
    for link in links:
        if "://" in link:
            continue
        if named := re.fullmatch(r"page:(\w+)|build/docs/pages/(\w+)\.html", link):  # made by `make docs`
            assert (named[1] or named[2]) in EXAMPLE_PAGES, f"{page.name}: {link}"
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{page.name}: {link}"


def test_every_page_of_an_example_is_of_a_file_and_linked_to() -> None:
    linked = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name, made in EXAMPLE_PAGES.items():
        file = made.file if hasattr(made, "file") else f"{made.example}.py"
        assert (ROOT / "examples" / file).is_file(), name
        assert f"(page:{name})" in linked or f"build/docs/pages/{name}.html" in linked, name


def test_every_scenario_of_the_examples_has_a_page() -> None:
    shown = {ROOT / "examples" / made.file for made in EXAMPLE_PAGES.values() if hasattr(made, "file")}
    without = set((ROOT / "examples").glob("*.yaml")) - shown
    assert without == set()


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^(?:[\w ]+ <)?([\w/-]+)>?$", index, re.MULTILINE)
    assert [name for name, times in Counter(listed).items() if times > 1] == []
    pages = {page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in GUIDE} - {"index"}
    assert pages <= set(listed)
    families = {f"reference/{name.partition('.')[0]}" for name in own_blocks()}
    assert families <= set(listed)


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CHANGELOG.md"], ids=lambda path: path.stem)
def test_blocks_that_are_named_exist(page: Path) -> None:
    known = {cls.__name__ for cls in own_blocks().values()} | {"FmuBlock"} | set(blocks.__all__)
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    solvers = {"LSODA", "BDF", "Radau"}
    named = set(re.findall(r"`([A-Z]\w+)`", prose)) - solvers - vars(builtins).keys()
    assert named
    assert named <= known


@every_page
def test_blocks_that_are_named_with_their_family_exist(page: Path) -> None:
    families = "|".join({cls.family for cls in own_blocks().values()})
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(rf"`[^`\n]*?\b((?:{families})\.[A-Z]\w+)", prose))
    assert named <= own_blocks().keys() | {"control.StateSpace"}, "other than of python-control"


def test_the_readme_names_every_block_of_the_marine_families() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    marine = [cls.__name__ for cls in own_blocks().values() if cls.family != "basic"]
    assert [name for name in marine if f"`{name}`" not in readme] == []


def test_dependencies_are_explained() -> None:
    """Every package that pyproject.toml asks for is in the table of CONTRIBUTING, and nothing else is."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    wanted = set(re.findall(r'^ +"([a-z0-9-]+)[><=]', project.partition("dependencies = [")[2].partition("]")[0], re.M))
    words = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = words.partition("## Dependencies")[2].partition("Extras:")[0]
    rows = re.findall(r"^\| ([a-z0-9, -]+) \|", table, re.MULTILINE)
    named = {name for row in rows for name in row.split(", ")} - {"package"}
    assert named == wanted
