"""What a YAML text says against the model of its kind: a message with file, line and nearest key for each finding."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from blocks.errors import KeelblocksError, ScenarioError
from blocks.problems import Problem
from blocks.yaml.locating import quoted, with_mend
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document

M = TypeVar("M", bound=BaseModel)


SAID = "said"
"""The type of a finding whose message has all that there is to say, with what was given."""


@dataclass(frozen=True)
class Words:
    """What a kind of file says in its own words."""

    name: Callable[[ItemPath], str] = lambda item: ".".join(map(str, item))
    """What an item is called in messages."""

    hint: Callable[[Document, ItemPath, type[BaseModel]], str] = lambda document, item, model: ""
    """What is said of an unknown key besides, instead of the nearest known one."""

    mend: Callable[[Document, ItemPath, type[BaseModel], Problem], Problem] = lambda document, item, model, problem: (
        problem
    )
    """An unknown key of which `hint` says something: the problem with its mend, if that is known."""

    pattern: Callable[[ItemPath], str] = lambda item: "what is wanted"
    """What text has to look like, where it has a pattern."""

    error: type[KeelblocksError] = ScenarioError
    """What is raised."""


def validated(document: Document, model: type[M], words: Words) -> M:
    """What a document says, as a model. Raises the error of `words`, with a line and a problem for each finding."""
    try:
        return model.model_validate(document.data)
    except ValidationError as problem:
        found = problems_of(document, problem, model, words)
        raise words.error("\n".join(dict.fromkeys(map(str, found))), problems=tuple(found)) from None


def problems_of(document: Document, fault: ValidationError, model: type[BaseModel], words: Words) -> list[Problem]:
    """What is wrong, where it stands in the text."""
    explained = [
        (item, one)
        for item, found in by_item(document, fault).items()
        for one in _explain(document, item, found, model, words)
    ]
    misspelt = {(*item[:-1], problem.near[0]) for item, problem in explained if problem.near}
    return list(dict.fromkeys(one for item, one in explained if one.code != "missing-key" or item not in misspelt))


def by_item(document: Document, fault: ValidationError) -> dict[ItemPath, list[Any]]:
    """The findings of pydantic by the item that they are about."""
    findings: dict[ItemPath, list[Any]] = {}
    for finding in fault.errors():  # what fits none of several forms has a finding for each of them
        findings.setdefault(_place(document, finding["loc"]), []).append(finding)
    return findings


def model_at(model: type[BaseModel], data: Any, item: ItemPath) -> type[BaseModel]:
    """The model of a mapping, or of the nearest around it: of several that may stand there the one that knows most of
    the keys."""
    nearest, forms = model, [model]
    for part in item:
        forms = [inner for form in forms for inner in _inside(form, part)]
        data = _item(data, part)
        known = [form for form in forms if isinstance(form, type) and issubclass(form, BaseModel)]
        if known:
            keys = set(data) if isinstance(data, dict) else set()
            nearest = max(known, key=lambda form: len(keys & set(form.model_fields)))
            forms = [form for form in forms if form not in known or form is nearest]
    return nearest


def _inside(form: Any, part: str | int) -> Iterator[Any]:
    """What the annotation of a value says of one of its items."""
    if isinstance(form, type) and issubclass(form, BaseModel):
        form.model_rebuild()  # names of models that were defined after it
        field = form.model_fields.get(str(part))
        yield from _forms(field.annotation) if field is not None else ()
    elif get_origin(form) is dict:
        yield from _forms(get_args(form)[1])
    elif get_origin(form) in (list, tuple):
        yield from _forms(get_args(form)[0])


def _forms(annotation: Any) -> Iterator[Any]:
    """The alternatives of an annotation."""
    if get_origin(annotation) is Annotated:
        yield from _forms(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for one in get_args(annotation):
            yield from _forms(one)
    else:
        yield annotation


def _item(data: Any, part: str | int) -> Any:
    if isinstance(data, dict):
        return data.get(part)
    return data[part] if isinstance(data, list) and isinstance(part, int) and part < len(data) else None


def _place(document: Document, loc: tuple[int | str, ...]) -> ItemPath:
    """The place in the text, without what pydantic puts in for unions, for lists made of one item, and for keys."""
    item: ItemPath = ()
    for part in loc:
        here = (*item, part)
        if here in document or not (isinstance(part, int) or part == "[key]" or _is_tag(part)):
            item = here
    return item


def _is_tag(part: str) -> bool:
    """Whether it is a name that pydantic gives to a form: "int", "list[any]", "function-after[…]", the type of a
    message, or one of our own."""
    return part in _TAGS or "[" in part or "/" in part


_TAGS = ("block", "nested", "number", "list", "series", "logged", "files", "int", "float", "str", "bool")


def _explain(
    document: Document, item: ItemPath, findings: list[Any], model: type[BaseModel], words: Words
) -> Iterator[Problem]:
    """What was found of one item."""
    name = words.name(item)
    inside = words.name(item[:-1]) or "the file"
    if forms := list(dict.fromkeys(_FORMS[finding["type"]] for finding in findings if finding["type"] in _FORMS)):
        if _FORMS["float_type"] in forms and _FORMS["int_type"] in forms:
            forms.remove(_FORMS["int_type"])
        quotes = forms == [_FORMS["string_type"]] and isinstance(findings[0]["input"], (int, float))
        needed = _needed(model_at(model, document.data, item)) if findings[0]["type"] == "model_type" else ""
        wanted = f"{' or '.join(forms)}{', in quotes,' if quotes else ''}{needed}"
        problem = _at(document, item, "wrong-form", f"{name}: {wanted} is wanted{_given(findings[0])}")
        yield _in_quotes(document, item, problem) if quotes else problem
    for finding in findings:
        kind = finding["type"]
        if kind == "extra_forbidden":
            around = model_at(model, document.data, item[:-1])
            message = f"unknown key '{item[-1]}' in {inside}"
            if said := words.hint(document, item, around):
                message += "" if said.startswith("; ") else said
                problem = _at(document, item, "unknown-key", message, key=True, hint=said[2:] * said.startswith("; "))
                yield words.mend(document, item, around, problem)
            else:
                fault = ScenarioError(message, code="unknown-key", wrong=str(item[-1]), valid=around.model_fields)
                yield from document.located(fault, item, key=True).problems
        elif kind == "missing":
            yield _at(document, item[:-1], "missing-key", f"{inside} lacks '{item[-1]}'", key=True)
        elif kind == "string_pattern_mismatch":
            key = finding["loc"][-1:] == ("[key]",)
            yield _at(document, item, "bad-name", f"{name}: '{finding['input']}' is not {words.pattern(item)}", key=key)
        elif known := finding.get("ctx", {}).get("problems"):
            yield from (document.problem(replace(one, message=f"{name}: {one.message}"), item) for one in known)
        elif kind not in _FORMS:
            said = _CONSTRAINTS[kind].format(**finding.get("ctx", {})) if kind in _CONSTRAINTS else finding["msg"]
            yield _at(document, item, "bad-value", f"{name}: {said}{_given(finding) if kind != SAID else ''}")


def _at(document: Document, item: ItemPath, code: str, message: str, *, key: bool = False, hint: str = "") -> Problem:
    return document.problem(Problem("error", code, message, hint), item, key=key)


def _in_quotes(document: Document, item: ItemPath, problem: Problem) -> Problem:
    """With the mend of a number where text is wanted."""
    spot = document.spot(item)
    if spot is None or spot.value.start == spot.value.end:
        return problem
    return with_mend(problem, document.text, "put it in quotes", quoted(document.text, spot.value))


def _needed(model: type[BaseModel]) -> str:
    """The keys that a mapping has to have."""
    keys = ", ".join(name for name, field in model.model_fields.items() if field.is_required())
    return f" ({keys})" if keys else ""


_FORMS = {
    "string_type": "text",
    "dict_type": "a mapping of keys and values",
    "model_type": "a mapping of keys and values",
    "model_attributes_type": "a mapping of keys and values",
    "list_type": "a list",
    "tuple_type": "a list",
    "int_type": "a whole number",
    "float_type": "a number",
}
_CONSTRAINTS = {
    "too_short": "it is empty",
    "greater_than_equal": "it must be ≥ {ge}",
    "greater_than": "it must be > {gt}",
    "less_than_equal": "it must be ≤ {le}",
    "less_than": "it must be < {lt}",
}


def _given(finding: Any) -> str:
    given = finding["input"]
    if given is None:
        return ", not nothing"
    return f", not {given!r}" if isinstance(given, (str, int, float)) else ""
