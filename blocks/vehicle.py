"""Vehicle files: cited parameters of real craft, in `blocks/vehicles/*.yaml` or a file of one's own.

A file has a title, references by key, and sections. A section says which block it is for and gives its parameters,
each with its value in SI, where it comes from, and what to know about it:

    title: ROV Minerva
    references: {mo2015: "Mo (2015), Development of a Simulation Platform for ROV Systems, NTNU"}
    sections:
      dynamics:
        type: dynamics.Vessel6DOF
        parameters:
          buoyancy: {value: 4925.6, unit: N, source: mo2015, note: "density times gravity times volume"}
"""

from __future__ import annotations

import difflib
import functools
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from blocks.errors import KeelblocksError, ParameterError, did_you_mean
from blocks.units import same

if TYPE_CHECKING:
    from blocks.block import Block

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class VehicleError(KeelblocksError):
    """A vehicle file cannot be found or read, or says what it must not say."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entry(_Strict):
    """One parameter: its value in SI as the block takes it, its unit, the key of its source, and a note."""

    value: Any
    unit: str | None = None
    source: str
    note: str = ""


class Section(_Strict):
    """The parameters of one block."""

    type: str
    note: str = ""
    parameters: dict[str, Entry]


class Vehicle(_Strict):
    """A vehicle file."""

    title: str
    description: str = ""
    references: dict[str, str] = Field(min_length=1)
    shared: dict[str, Any] = Field(default_factory=dict)
    """Parts that several sections take over by YAML anchors."""
    sections: dict[str, Section] = Field(min_length=1)

    @model_validator(mode="after")
    def _sources_exist(self) -> Vehicle:
        for name, section in self.sections.items():
            for parameter, entry in section.parameters.items():
                if entry.source not in self.references:
                    raise ValueError(
                        f"{name}.{parameter} names the source '{entry.source}', which is not among the references"
                        f"{did_you_mean(entry.source, self.references)}"
                    )
        return self

    def citation(self, entry: Entry) -> str:
        """Where a value comes from, in full."""
        return self.references[entry.source] + (f" ({entry.note})" if entry.note else "")
