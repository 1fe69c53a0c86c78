"""The JSON schema of scenarios, for editors: the structure, and every block with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.model.block import Block
from blocks.model.declare import Parameter
from blocks.model.describe import describe_parameter, summary, unit_text
from blocks.model.file_origin import all_options_of, reads_files
from blocks.model.library import library, other_names
from blocks.model.text_parameter import NamesParameter, TextParameter, WordsParameter
from blocks.plan.settings import SOLVERS
from blocks.scenario.model import DECLARED, FORMAT, ScenarioFile
from blocks.vehicles.vehicle import list_vehicles


def schema(blocks: Mapping[str, type[Block]] | None = None) -> dict[str, Any]:
    """The schema, in draft 2020-12, of scenarios with these blocks, or with those of `library()`."""
    made = plain(ScenarioFile.model_json_schema(ref_template="#/$defs/{model}"))
    blocks = library() if blocks is None else blocks
    definitions = made["$defs"]
    entry = definitions["BlockEntry"]
    properties = entry["properties"]
    others = other_names(blocks)
    names = [*blocks, *others]
    words = [summary(blocks[others.get(name, name)]) for name in names]
    properties["type"] |= {"enum": names, "markdownEnumDescriptions": words}
    properties["vehicle"] |= {"examples": list_vehicles()}
    entry["allOf"] = [
        _rule(name, block, [other for other, meant in others.items() if meant == name])
        for name, block in blocks.items()
    ]
    definitions["RunEntry"]["properties"]["solver"] |= {"enum": list(SOLVERS)}
    for name, block in blocks.items():
        own = {p.name: _parameter(p) for p in block.all_parameters().values()}
        own |= {other: own[meant] for other, meant in block.aliases.items() if meant in own}
        definitions[f"parameters.{name}"] = _parameters(block, own)
        if reads_files(block):
            definitions[f"parameters.{name}.file"] = _parameters(block, _options(block) | own)
    of_files = {"type": {"enum": [name for name, block in blocks.items() if reads_files(block)]}}
    entry["allOf"].append({"if": {"required": ["file"]}, "then": {"properties": of_files}})
    entry["allOf"].append(_of_declared(blocks))
    entry["not"] = {"required": ["vehicle", "file"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Keelblocks scenario, format {FORMAT}",
        **{key: value for key, value in made.items() if key != "$defs"},
        "$defs": definitions,
    }


def _of_declared(blocks: Mapping[str, type[Block]]) -> dict[str, Any]:
    """Which blocks have the sections of those that are declared where they stand."""
    declared = {"properties": {"type": {"enum": [name for name, block in blocks.items() if block.declaration_keys]}}}
    return {"if": {"anyOf": [{"required": [key]} for key in DECLARED]}, "then": declared}


def _parameters(block: type[Block], properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "description": summary(block),
        "type": "object",
        "properties": properties,
        "additionalProperties": block.open_ended,
    }


def _options(block: type[Block]) -> dict[str, Any]:
    """How a file with the tables of a block is read: what its constructors take besides parameters."""
    return {
        option: {"description": f"how the file is read: see {block.__name__}.{constructor}"}
        for option, constructor in all_options_of(block).items()
    }


def _rule(name: str, block: type[Block], others: list[str]) -> dict[str, Any]:
    """What follows from the type of a block: its parameters, and which of them cannot be left out."""
    then: dict[str, Any] = {"properties": {"parameters": {"$ref": f"#/$defs/parameters.{name}"}}}
    known = block.all_parameters().values()
    by_item = {name for p in known for names in p.item_numbers.values() for name in names}
    required = [p.name for p in known if p.required and p.name not in by_item]
    if required:
        by_name: dict[str, Any] = {"required": [name for name in required if name not in block.aliases.values()]}
        for other, meant in block.aliases.items():
            if meant in required:
                by_name.setdefault("allOf", []).append({"anyOf": [{"required": [meant]}, {"required": [other]}]})
        then["if"] = {"not": {"required": ["vehicle"]}}
        then["then"] = {"required": ["parameters"], "properties": {"parameters": by_name}}
    if reads_files(block):
        of_file = {"properties": {"parameters": {"$ref": f"#/$defs/parameters.{name}.file"}}}
        then = {"if": {"required": ["file"]}, "then": of_file, "else": then}
    meant_by = {"enum": [name, *others]} if others else {"const": name}
    return {"if": {"properties": {"type": meant_by}, "required": ["type"]}, "then": then}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    data = describe_parameter(parameter)
    words = [parameter.doc] if parameter.doc else []
    if isinstance(parameter.unit, str) and parameter.unit != "1":
        words.append(f"in {unit_text(parameter.unit)}")
    if "range" in data:
        words.append(data["range"])
    found: dict[str, Any] = {"description": "; ".join(words)} if words else {}
    if "default" in data:
        found["default"] = data["default"]
    return found | _form(parameter)


def _form(parameter: Parameter) -> dict[str, Any]:
    if parameter.choices:
        return {"enum": list(parameter.choices)}
    if parameter.switch:
        return {"type": "boolean"}
    if isinstance(parameter, WordsParameter):
        return parameter.schema()
    if isinstance(parameter, NamesParameter):
        return {"type": ["string", "array"], "items": {"type": "string"}}
    if isinstance(parameter, TextParameter):
        return {"type": "string"}
    if isinstance(parameter.default, str):  # one letter per input
        return {"type": "string", "minLength": 1}
    number = _number(parameter)
    if not parameter.shape:
        return number
    array: dict[str, Any] = number
    for size in reversed(parameter.shape):
        array = {"type": "array", "items": array}
        if isinstance(size, int):
            array |= {"minItems": size, "maxItems": size}
    if parameter.least_columns is not None:
        row = array["items"]
        row["minItems"] = parameter.least_columns
    forms = [array]
    if len(parameter.shape) == 2 and parameter.shape[0] == parameter.shape[1]:
        diagonal: dict[str, Any] = {"type": "array", "items": number}
        if isinstance(parameter.shape[0], int):
            diagonal |= {"minItems": parameter.shape[0], "maxItems": parameter.shape[0]}
        forms.append({"type": "object", "properties": {"diag": diagonal}, "required": ["diag"],
                      "additionalProperties": False})  # fmt: skip
    if parameter.named_like:
        by_name = {parameter.named_like: _number(Parameter())}
        forms.append({"type": "object", "patternProperties": by_name, "additionalProperties": False})
    if parameter.in_words:
        place = {"type": "array", "items": _number(Parameter()), "minItems": 3, "maxItems": 3}
        own = dict.fromkeys(parameter.in_words, place) | dict.fromkeys(parameter.item_numbers, _number(Parameter()))
        item = {"type": "object", "properties": own,
                "required": list(parameter.in_words), "additionalProperties": False}  # fmt: skip
        forms.append({"type": "array", "items": item})
    return {"anyOf": [number, *forms]}


def _number(parameter: Parameter) -> dict[str, Any]:
    """One number, with its limits where it is given in SI; with a unit it is text, which is checked when it is read."""
    limits = {
        key: limit
        for key, limit in (
            ("exclusiveMinimum", parameter.above),
            ("minimum", parameter.at_least),
            ("exclusiveMaximum", parameter.below),
            ("maximum", parameter.at_most),
        )
        if limit is not None
    }
    if parameter.integer:
        return {"type": "integer", **limits}
    return {"type": ["number", "string"], **limits}


def plain(item: Any) -> Any:
    """Without what pydantic adds for itself: titles, nulls for what is left out, and keys of any other name."""
    if isinstance(item, list):
        return [plain(part) for part in item]
    if not isinstance(item, dict):
        return item
    found: dict[str, Any] = {}
    for key, value in item.items():
        if key in ("properties", "$defs"):
            found[key] = {name: plain(part) for name, part in value.items()}
        elif key == "anyOf" and {"type": "null"} in value:
            rest = [plain(part) for part in value if part != {"type": "null"}]
            found |= rest[0] if len(rest) == 1 else {"anyOf": rest}
        elif key == "oneOf" and {"$ref": "#/$defs/NestedEntry"} in value:  # or a block: one key tells
            block, nested = (plain(part) for part in value)
            found |= {"if": {"required": ["diagram"]}, "then": nested, "else": block}
        elif key == "oneOf":  # forms that exclude each other anyway
            found["anyOf"] = [form for part in map(plain, value) for form in part.get("anyOf", [part])]
        elif key not in ("title", "default"):
            found[key] = plain(value)
    if "patternProperties" in found:
        found["additionalProperties"] = False
    return found
