"""`live: ardupilot:` in a scenario: which ports of a diagram ArduPilot's JSON interface steers and sees."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictInt, StrictStr, model_validator
from pydantic_core import PydanticCustomError

from blocks.scenario.entry import Entry, Quantity

CHANNELS, RANGES, PORT = 32, 6, 9002

Pulse = Annotated[StrictInt, Field(ge=500, le=2500)]


class ServoEntry(Entry):
    """What a servo output of ArduPilot commands, linear between three pulse widths and held beyond."""

    channel: StrictInt = Field(ge=1, le=CHANNELS, description="number of the output, SERVOn in ArduPilot")
    min: Pulse = Field(1100, description="least pulse width, µs: SERVOn_MIN; 1100 if not given")
    trim: Pulse = Field(1500, description="pulse width at rest, µs: SERVOn_TRIM; 1500 if not given")
    max: Pulse = Field(1900, description="greatest pulse width, µs: SERVOn_MAX; 1900 if not given")
    reversed: StrictBool = Field(False, description="true: low is at the greatest pulse width, and high at the least")
    low: Quantity = Field(description="command at the least pulse width, in the unit of the input or with its own")
    neutral: Quantity = Field(0.0, description="command at the trim; 0 if not given")
    high: Quantity = Field(description="command at the greatest pulse width")

    @model_validator(mode="after")
    def _ordered(self) -> ServoEntry:
        if not (self.min <= self.trim <= self.max and self.min < self.max):
            raise PydanticCustomError(
                "wanted",
                "pulse widths must be in the order min, trim, max, not {given}",
                {"given": f"{self.min}, {self.trim}, {self.max}"},
            )
        return self


class ArduPilotEntry(Entry):
    """A vehicle for ArduPilot: the scenario is the physics behind its JSON interface."""

    address: StrictStr = Field(
        "127.0.0.1", description="address to listen on; 127.0.0.1, which only this machine reaches, if not given"
    )
    port: StrictInt = Field(PORT, ge=0, le=65535, description="UDP port; 9002 if not given, 0: any that is free")
    vessel: StrictStr = Field("vessel", description="dynamics block with eta and nu; vessel if not given")
    imu: StrictStr = Field("imu", description="sensors.Imu block; imu if not given")
    battery: StrictStr | None = Field(None, description="power.Battery block whose voltage and current are sent")
    wind: StrictStr | None = Field(
        None,
        description="output with the velocity of the air, such as wind.wind; sent, and as a wind vane sees it",
    )
    rangefinders: list[StrictStr] = Field(
        default_factory=list, max_length=RANGES, description="outputs with distances, m, for rangefinders 1 to 6"
    )
    servos: dict[str, ServoEntry] = Field(
        min_length=1, description="inputs of the diagram, such as thrust[port], and the servo outputs that set them"
    )
