"""A frame of ArduPilot's JSON interface, compiled: from a packet of servo outputs, and to the line that answers it.

Both stand on the memory of a run: commands are written where its inputs are, sensors read where its outputs are.
"""

import numpy as np

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport fabs, floor, sqrt
from libc.stdint cimport uint64_t

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport body_to_ned, ned_to_body, quaternion_from_euler, rotation_from_euler

cdef enum:
    HEAD = 8                    # bytes ahead of the channels: magic, frame rate, frame count
    MAGIC_16 = 18458
    MAGIC_32 = 29569
    MOST_CHANNELS = 32
    MOST_RANGES = 6
    ROOM = 2048                 # 33 numbers of 21 characters, and the keys

cdef double GREATEST = 9.0e9    # of a number with nine decimals in 64 bits

LONGEST = HEAD + 2 * MOST_CHANNELS


ctypedef struct Servo:
    int channel                 # from 0
    double least, trim, most    # pulse widths, µs
    double neutral              # command at the trim
    double below, above         # and its change per µs on either side
    double* command


cdef const double* place(list kept, array, Py_ssize_t size) except NULL:
    """Where the numbers of an array stand, which is kept alive."""
    cdef const double[::1] view = np.reshape(array, -1)
    if view.shape[0] != size:
        raise ValueError(f"{size} numbers are wanted, not {view.shape[0]}")
    kept.append(view)
    return &view[0]


cdef inline int number16(const unsigned char* data) noexcept nogil:
    return data[0] | data[1] << 8


cdef class Servos:
    """Servo outputs in a packet, and the commands that they are.

    entries: for each command (array of one number in the run's memory, channel from 1, least, trim and greatest pulse
    width in µs, command at each of these). Commands are linear in between, and held beyond; a channel without output,
    0 µs or one that the packet does not have, is at its trim.
    """

    cdef Servo* servos
    cdef int count
    cdef list kept
    cdef int pulses[MOST_CHANNELS]
    cdef readonly int channels
    """How many channels the last packet had."""
    cdef readonly int frame_rate
    """Frames per second that ArduPilot wants, of the last packet."""
    cdef readonly uint64_t frame_count
    """Number of the last packet."""
    cdef object memory

    def __init__(self, entries):
        cdef int i
        self.kept = []
        self.count = len(entries)
        self.memory = np.zeros(max(self.count, 1) * sizeof(Servo), dtype=np.uint8)
        cdef unsigned char[::1] bytes_of = self.memory
        self.servos = <Servo*>&bytes_of[0]
        for i, (target, channel, least, trim, most, low, neutral, high) in enumerate(entries):
            self.servos[i] = Servo(
                channel - 1, least, trim, most, neutral,
                (neutral - low) / (trim - least) if trim > least else 0.0,
                (high - neutral) / (most - trim) if most > trim else 0.0,
                <double*>place(self.kept, target, 1),
            )

    def read(self, const unsigned char[::1] data, Py_ssize_t size) -> bool:
        """Take a packet of that many bytes; False if it is none of ArduPilot's, and nothing is changed."""
        cdef int i, magic, channels
        if size < HEAD or size > data.shape[0]:
            return False
        magic = number16(&data[0])
        channels = 16 if magic == MAGIC_16 else 32 if magic == MAGIC_32 else 0
        if channels == 0 or size != HEAD + 2 * channels or number16(&data[2]) == 0:
            return False
        self.frame_rate = number16(&data[2])
        self.frame_count = number16(&data[4]) | <uint64_t>number16(&data[6]) << 16
        self.channels = channels
        for i in range(channels):
            self.pulses[i] = number16(&data[HEAD + 2 * i])
        return True

    def rest(self) -> None:
        """Write the commands of servos without output."""
        cdef int i
        for i in range(self.count):
            self.servos[i].command[0] = self.servos[i].neutral

    def apply(self) -> None:
        """Write the commands of the last packet."""
        cdef int i
        cdef double pulse
        cdef Servo* s
        for i in range(self.count):
            s = self.servos + i
            pulse = self.pulses[s.channel] if s.channel < self.channels else 0.0
            if pulse == 0.0:
                pulse = s.trim
            pulse = min(max(pulse, s.least), s.most) - s.trim
            s.command[0] = s.neutral + pulse * (s.below if pulse < 0.0 else s.above)


cdef char* text(char* out, const char* characters) noexcept nogil:
    while characters[0]:
        out[0] = characters[0]
        out += 1
        characters += 1
    return out


cdef char* number(char* out, double value, bint* sound) noexcept nogil:
    """Up to nine decimals. Not `sound` if it is not finite or above what ArduPilot could use; then 0 is written."""
    cdef uint64_t scaled, whole, part, digit
    cdef char digits[20]
    cdef int i = 0, decimals = 9
    if not fabs(value) < GREATEST:      # true of no NaN either
        sound[0] = False
        value = 0.0
    scaled = <uint64_t>floor(fabs(value) * 1e9 + 0.5)
    if value < 0.0 and scaled:
        out[0] = b"-"
        out += 1
    whole = scaled // 1000000000
    part = scaled - whole * 1000000000
    while True:
        digit = whole // 10
        digits[i] = <char>(48 + whole - digit * 10)
        i += 1
        whole = digit
        if whole == 0:
            break
    while i:
        i -= 1
        out[0] = digits[i]
        out += 1
    if part:
        while part % 10 == 0:
            part //= 10
            decimals -= 1
        out[0] = b"."
        for i in range(decimals, 0, -1):
            digit = part // 10
            out[i] = <char>(48 + part - digit * 10)
            part = digit
        out += decimals + 1
    return out


cdef char* vector(char* out, const char* key, const double* values, bint* sound) noexcept nogil:
    out = text(out, key)
    out = number(out, values[0], sound)
    out = text(out, b",")
    out = number(out, values[1], sound)
    out = text(out, b",")
    out = number(out, values[2], sound)
    return text(out, b"]")


cdef class Sensors:
    """What ArduPilot is told of a vehicle: arrays in the run's memory, all in SI, axes NED and forward-starboard-down.

    eta, nu: pose and velocity of the vessel, 6; angular_rate, specific_force: of its inertial measurement unit, 3;
    voltage, current: of its battery; wind: velocity of the air, where it blows to, north, east, down; ranges: distances
    of up to six rangefinders. What is None is not sent.
    """

    cdef list kept
    cdef const double* eta
    cdef const double* nu
    cdef const double* angular_rate
    cdef const double* specific_force
    cdef const double* voltage
    cdef const double* current
    cdef const double* wind
    cdef const double* ranges[MOST_RANGES]
    cdef int range_count
    cdef char line_memory[ROOM]

    def __init__(
        self, eta, nu, angular_rate, specific_force, voltage=None, current=None, wind=None, ranges=()
    ):
        cdef int i
        self.kept = []
        self.eta = place(self.kept, eta, 6)
        self.nu = place(self.kept, nu, 6)
        self.angular_rate = place(self.kept, angular_rate, 3)
        self.specific_force = place(self.kept, specific_force, 3)
        self.voltage = place(self.kept, voltage, 1) if voltage is not None else NULL
        self.current = place(self.kept, current, 1) if current is not None else NULL
        self.wind = place(self.kept, wind, 3) if wind is not None else NULL
        self.range_count = len(ranges)
        if self.range_count > MOST_RANGES:
            raise ValueError(f"{MOST_RANGES} ranges at most")
        for i, distance in enumerate(ranges):
            self.ranges[i] = place(self.kept, distance, 1)

    def line(self, double timestamp) -> bytes:
        """The line that answers a packet, compact, with \\n on both sides. Raises ValueError for what is not finite.

        ArduPilot looks for each key from the left: `velocity` has to stand ahead of `velocity_wind`. The attitude is
        there twice since some versions take rangefinder 2 only beside a quaternion.
        """
        cdef bint sound = True
        cdef int i
        cdef double rotation[9]
        cdef double velocity[3]
        cdef double air[3]
        cdef double quaternion[4]
        cdef char* out = self.line_memory
        rotation_from_euler(self.eta + 3, rotation)
        body_to_ned(rotation, self.nu, velocity)
        out = number(text(out, b'\n{"timestamp":'), timestamp, &sound)
        out = vector(out, b',"imu":{"gyro":[', self.angular_rate, &sound)
        out = vector(out, b',"accel_body":[', self.specific_force, &sound)
        out = vector(out, b'},"position":[', self.eta, &sound)
        out = vector(out, b',"attitude":[', self.eta + 3, &sound)
        quaternion_from_euler(self.eta + 3, quaternion)
        out = number(text(out, b',"quaternion":['), quaternion[0], &sound)
        out = vector(out, b",", quaternion + 1, &sound)
        out = vector(out, b',"velocity":[', velocity, &sound)
        if self.voltage != NULL:
            out = number(text(out, b',"battery":{"voltage":'), self.voltage[0], &sound)
            if self.current != NULL:
                out = number(text(out, b',"current":'), self.current[0], &sound)
            out = text(out, b"}")
        if self.wind != NULL:
            for i in range(3):
                velocity[i] = self.wind[i] - velocity[i]
            ned_to_body(rotation, velocity, air)
            out = number(text(out, b',"windvane":{"direction":'), atan2(-air[1], -air[0]), &sound)
            out = number(text(out, b',"speed":'), sqrt(air[0] * air[0] + air[1] * air[1]), &sound)
            out = vector(out, b'},"velocity_wind":[', self.wind, &sound)
        for i in range(self.range_count):
            out = text(out, b',"rng_')
            out[0] = <char>(49 + i)
            out = number(text(out + 1, b'":'), self.ranges[i][0], &sound)
        out = text(out, b"}\n")
        if not sound:
            raise ValueError("not finite")
        return PyBytes_FromStringAndSize(self.line_memory, out - self.line_memory)
