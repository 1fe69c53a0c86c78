"""`share`: a scenario or a run as one HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.files.writing import path_of, replacing
from blocks.run.result import Result, version
from blocks.scenario import Scenario
from blocks.yaml.kinds import KINDS
from studio.document import document
from studio.engine import engine_for
from studio.errors import ShareError
from studio.kinds import kind_of
from studio.model import model_of, packed
from studio.subject import Subject, of_result, of_scenario
from studio.text import text_of
from studio.vary import Vary, sliders_of

FORMAT = 1
"""The version of the data in a page."""


def share(
    what: Scenario | Result | str | PathLike[str],
    path: str | PathLike[str],
    *,
    vary: Iterable[str | Vary] = (),
    with_yaml: bool = False,
) -> Path:
    """Write a page that simulates again while one drags: one HTML file that needs no network, for any browser.

    what: a scenario, or the path of its file; or a result of `simulate` or `Scenario.run`.
    vary: what gets a slider, "plant.current.speed=0 m/s:0.5 m/s"; without it those that a reader is likely to want.
        Everything else that may be changed can be chosen in the page.
    with_yaml: let the page hold the scenario's text, so that the changed scenario can be copied from it.

    Raises ShareError for what does not run in a browser, naming it, and if the file cannot be written.
    """
    target = target_of(path)
    return written(target, page_of(what, vary=vary, with_yaml=with_yaml))


def page_of(
    what: Scenario | Result | str | PathLike[str], *, vary: Iterable[str | Vary] = (), with_yaml: bool = False
) -> str:
    """The text of the page that `share` writes."""
    if isinstance(what, Result):
        subject = of_result(what)
    elif isinstance(what, Scenario):
        subject = of_scenario(what, what.path.name if what.path else "")
    elif isinstance(what, (str, PathLike)):
        if (kind := kind_of(what)) != "keelblocks":
            raise ShareError(f"{what} is {KINDS[kind][0]}: `keelblocks share {what}` runs it, and writes its page")
        loaded = Scenario.load(what)
        subject = of_scenario(loaded, str(what))
    else:
        raise ShareError(_not_shared(what))
    return mission_page(subject, vary, with_yaml)


def _not_shared(what: object) -> str:
    """What is said of something that is no mission."""
    from blocks.swarm import Fleet, Swarm, SwarmResult

    if isinstance(what, (Fleet, Swarm, SwarmResult)):
        return "swarms have no page in this version: share the scenario of one vehicle, and save the swarm as .nc"
    return f"a scenario, its path, or the result of a run is wanted, not {type(what).__name__}"


def mission_page(subject: Subject, vary: Iterable[str | Vary] = (), with_yaml: bool = False) -> str:
    """The page of one run."""
    engine = engine_for([subject.plan])
    model = model_of(subject)
    data = {
        **heading(subject.name, subject.title, subject.description, subject.command),
        "kind": "mission",
        "models": [model],
        "sliders": sliders_of(subject, model["parameters"], vary),
        "text": text_of(subject, model["parameters"]) if with_yaml else None,
    }
    return document(data, packed(engine), pictures_out(data["models"]))


def heading(name: str, title: str, description: str, command: str) -> dict[str, Any]:
    """What every page says of itself."""
    return {
        "page": FORMAT, "version": version(), "name": name, "title": title, "description": description,
        "command": command,
    }  # fmt: skip


def pictures_out(models: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Take the SVG out of the data: it stands in the file as it is."""
    found = []
    for number, model in enumerate(models):
        for picture in model["pictures"]:
            found.append((f"{number}/{picture['path']}", picture.pop("svg")))
    return found


def target_of(path: str | PathLike[str]) -> Path:
    """The path of a page. Raises ShareError unless its name ends in .html."""
    target = path_of(path, "a page", ShareError)
    if target.suffix.lower() not in (".html", ".htm"):
        raise ShareError(f"{target}: a page is an HTML file: let its name end in .html")
    return target


def written(target: Path, text: str) -> Path:
    """Write a page. Raises ShareError if that is not possible."""
    try:
        with replacing(target) as part:
            part.write_bytes(text.encode("utf-8"))
    except OSError as problem:
        raise ShareError(f"cannot write {target}: {problem.strerror or problem}") from None
    return target
