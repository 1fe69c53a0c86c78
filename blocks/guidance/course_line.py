"""Line-of-sight guidance to one endless line."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import elements, whole
from blocks.model.derived import Derived
from blocks.signal import Angle, Length, Pose


class CourseLine(Block):
    """Line-of-sight guidance to the endless straight line through a point at a course.

    y_e = -(x - x_0) sin χ + (y - y_0) cos χ,  ψ_d = χ - atan(y_e/Δ)

    x, y: position, north and east, m; x_0, y_0: `origin`, m; χ: `course`, from north, clockwise, rad; Δ: `lookahead`,
    m; y_e: `cross_track_error`, positive where the vehicle is to starboard of the line, m; ψ_d: `heading`, rad, within
    a quarter turn of the course and for that reason not wrapped.

    The lightest of the guidance blocks: no waypoints, no states. `LineOfSight` follows a path of several legs.

    Raises ParameterError if the lookahead is not positive.

    Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.3.2, lookahead-based
    steering.
    """

    kernel = "course_line"

    eta = Input(Pose, "position and attitude of the vehicle")
    heading = Output(
        Angle, "desired heading ψ_d", depends={"eta": elements("x y")} | whole("course", "lookahead", "origin")
    )
    cross_track_error = Output(
        Length,
        "y_e, positive to starboard of the line",
        depends={"eta": elements("x y")} | whole("course", "origin"),
    )
    course = Parameter(0.0, unit="rad", doc="course χ of the line, from north, clockwise")
    lookahead = Parameter(10.0, unit="m", above=0.0, doc="lookahead distance Δ: how far ahead on the line is aimed")
    origin = Parameter((0.0, 0.0), shape=(2,), unit="m", frame="ned", doc="a point on the line, north and east")

    sine = Derived("of the course")
    cosine = Derived("of the course")
    steepness = Derived("1/Δ", unit="1/m")
