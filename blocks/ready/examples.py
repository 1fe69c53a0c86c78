"""The examples that come with the library: what there is, and copies of them with all that they need.

In a wheel they stand in `blocks/ready/examples`, where the build puts them; in the source of Keelblocks in `examples/`
at the top. A file there is an example, and so is a folder with Python in it, as a whole.
"""

from __future__ import annotations

import ast
import functools
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from blocks.errors import ScenarioError, did_you_mean, near_misses
from blocks.yaml.likely import near_files

KINDS = {
    "keelblocks": "scenario",
    "keelblocks_study": "study",
    "keelblocks_comparison": "comparison",
    "keelblocks_tuning": "tuning",
    "keelblocks_identification": "identification",
    "validity": "vehicle",
}
"""What a YAML file is, by the key that says how it is to be read."""
_HOW = {
    "scenario": "keelblocks run",
    "study": "keelblocks study run",
    "comparison": "keelblocks lab compare",
    "tuning": "keelblocks lab tune",
    "identification": "keelblocks lab identify",
    "vehicle": "keelblocks show vehicle",
}
_MADE = {".keelblocks", "__keelblocks__", "__pycache__"}
"""Folders of what is made when examples are used."""
_NAMED = re.compile(r"[\w./-]+\.(?:yaml|yml|csv|npz|parm|py)\b")


@dataclass(frozen=True)
class Example:
    """An example: its name, its file or folder, what it shows, and its kind: a word of `KINDS`, script or folder."""

    name: str
    path: Path
    title: str
    kind: str

    def command(self, path: Path) -> str:
        """What runs a copy of it at a path."""
        if self.kind == "folder":
            return f"see {path}" if not (path / "README.md").is_file() else f"see {path / 'README.md'}"
        commands = re.findall(r"^#?\s+(keelblocks .*|python .*)$", self.path.read_text(encoding="utf-8"), re.MULTILINE)
        told = [line for line in commands if self.path.name in line]
        verb = told[0].split(" examples/")[0] if told else f"{_HOW.get(self.kind, 'python')}"
        return f"{verb} {path}"


def folder() -> Path:
    """Where the examples are. Raises ScenarioError if they are not there."""
    here = Path(__file__).resolve()
    for place in (here.with_name("examples"), here.parents[2] / "examples"):
        if place.is_dir():
            return place
    raise ScenarioError("the examples are not there; they come with Keelblocks, so install it again")


@functools.cache
def examples() -> dict[str, Example]:
    """All examples by name, scenarios first."""
    found = [_described(path) for path in _paths(folder())]
    order = [*KINDS.values(), "script", "folder"]
    return {one.name: one for one in sorted(found, key=lambda one: (order.index(one.kind), one.name))}


def example(name: str) -> Example:
    """The example of a name, or of what it is called without its folder. Raises ScenarioError, with near misses."""
    known = examples()
    plain = name.removeprefix("examples/").rstrip("/")
    bare, dot, ending = plain.rpartition(".")
    plain = bare if dot and ending in ("yaml", "yml", "py") else plain
    if plain in known:
        return known[plain]
    meant = [one for one in known.values() if one.name.rpartition("/")[2] == plain]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ScenarioError(f"'{name}' can be {' or '.join(one.name for one in meant)}")
    raise ScenarioError(f"there is no example '{name}'{did_you_mean(plain, known)} (keelblocks list examples)")


def hint(path: Path) -> str:
    """For a file that is not there: how the example of this name, or a near one, is had; empty if there is none."""
    plain = path.parent == Path()
    try:
        known = example(path.stem if plain else path.as_posix())
    except ScenarioError:
        near = near_misses(path.stem, examples()) if plain and not near_files(path, "scenario") else []
        return f"did you mean the example '{near[0]}'? keelblocks copy {near[0]} writes it" if near else ""
    return f"'{known.name}' is an example: keelblocks copy {known.name} writes it"


def files_of(one: Example) -> list[Path]:
    """The files of an example and those that they name, seen from the folder of the examples."""
    top = folder()
    found: list[Path] = []
    open_ = [one.path]
    while open_:
        path = open_.pop(0)
        whole = _whole(path, top)
        for file in _plain(whole) if whole.is_dir() else [path]:
            if (seen := file.relative_to(top)) not in found:
                found.append(seen)
                open_ += _named_in(file, top)
    return found


def copy(one: Example, into: Path, *, force: bool = False) -> list[Path]:
    """Copy an example, with all that it names, to the same places in another folder; the files there.

    A file that is there already with the same content is left. Raises ScenarioError if one has another content, unless
    `force`, or if it cannot be written; then nothing is.
    """
    top, files = folder(), files_of(one)
    wanted = [file for file in files if not _same(top / file, into / file)]
    there = [into / file for file in wanted if (into / file).exists()]
    if there and not force:
        many = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise ScenarioError(f"{there[0]}{many} is there already, and is not the same: --force replaces it")
    try:
        for file in wanted:
            (into / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(top / file, into / file)
    except OSError as problem:
        raise ScenarioError(f"cannot write {problem.filename or into}: {problem.strerror or problem}") from None
    return [into / file for file in files]


def _same(one: Path, other: Path) -> bool:
    return other.is_file() and one.read_bytes() == other.read_bytes()


def _paths(top: Path) -> Iterator[Path]:
    for path in sorted(top.iterdir()):
        if path.name in _MADE or path.name.startswith("."):
            continue
        if path.suffix in (".yaml", ".py") or (path.is_dir() and any(path.glob("*.py"))):
            yield path
        elif path.is_dir():
            yield from sorted(path.glob("*.yaml"))


def _whole(path: Path, top: Path) -> Path:
    """The folder that is an example as a whole and has this file, or the file itself."""
    parts = path.relative_to(top).parts
    around = top / parts[0]
    return around if around.is_dir() and any(around.glob("*.py")) else path


def _plain(around: Path) -> list[Path]:
    """The files of a folder, without what is made when they are used."""
    return [
        path
        for path in sorted(around.rglob("*"))
        if path.is_file() and not _MADE & set(path.relative_to(around).parts) and path.suffix not in (".pyc", ".so")
    ]


def _named_in(file: Path, top: Path) -> list[Path]:
    """The files of the examples that a file names, from where it is or from above the folder of the examples."""
    if file.suffix not in (".yaml", ".py", ".md"):
        return []
    named: Iterable[str] = _NAMED.findall(file.read_text(encoding="utf-8"))
    found = []
    for name in dict.fromkeys(named):
        beside = (file.parent / name).resolve()
        stated = (top / name.removeprefix("examples/")).resolve()
        place = beside if beside.is_file() else stated
        if place.is_file() and place != file and place.is_relative_to(top):
            found.append(place)
    return found


def _described(path: Path) -> Example:
    name = path.relative_to(folder()).with_suffix("").as_posix()
    if path.is_dir():
        readme, script = path / "README.md", path / f"{path.name}.py"
        scenarios = sorted(path.glob("*.yaml"))
        if script.is_file():
            title = _docstring(script)
        elif readme.is_file():
            title = next(text for text in readme.read_text(encoding="utf-8").split("\n\n") if text[0] != "#")
            title = " ".join(title.split()).partition(": ")[2] or title
        else:
            title = _yaml(scenarios[0])[0]
        return Example(name, path, title[:1].upper() + title[1:].rstrip("."), "folder")
    if path.suffix == ".py":
        return Example(name, path, _docstring(path), "script")
    title, kind = _yaml(path)
    return Example(name, path, title, kind)


def _docstring(path: Path) -> str:
    """The first sentence of a module."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem
    return re.split(r"[.:](?:\s|$)", text, maxsplit=1)[0].replace("\n", " ")


def _yaml(path: Path) -> tuple[str, str]:
    """Title and kind, from the keys at the top of a file: reading it in full takes longer."""
    keys = dict(re.findall(r"^(\w+): *(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    kind = next((word for key, word in KINDS.items() if key in keys), "scenario")
    return keys.get("title", path.stem).strip("\"'"), kind
