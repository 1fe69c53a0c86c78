"""Kernel of the battery."""

from libc.math cimport sqrt

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.limits cimport smaller
from cython_kernels.mathematics.tables cimport table_value
from cython_kernels.views.power.battery cimport BatteryView

ctypedef struct BatteryLoad:
    double voltage                  # at the terminals
    double current                  # positive where it discharges


cdef inline double battery_wanted(const BatteryView* b) noexcept nogil:
    """The sum of the powers."""
    cdef double wanted = 0.0
    cdef int i
    for i in range(b.n.n):
        wanted += b.u.power[i]
    return wanted


cdef inline BatteryLoad battery_load(const BatteryView* b, bint cut_off, bint full) noexcept nogil:
    """Voltage and current at the wanted power, as far as the battery gives or takes it."""
    cdef BatteryLoad load
    cdef double emf = table_value(b.p.charge, b.p.open_circuit_voltage, b.n.m, b.x.state_of_charge[0], True)
    cdef double resistance = b.p.internal_resistance[0]
    cdef double wanted = battery_wanted(b)
    cdef double room = emf * emf - 4.0 * resistance * wanted
    if (cut_off and wanted > 0.0) or (full and wanted < 0.0):
        load.current = 0.0
    elif room < 0.0:                # more than the battery can give: the most that it can
        load.current = 0.5 * emf / resistance
    else:                           # the smaller root of R i^2 - E i + P = 0, without a difference of equal numbers
        load.current = 2.0 * wanted / (emf + sqrt(room))
    load.voltage = emf - resistance * load.current
    return load


cdef inline bint battery_cut_off(const BatteryView* b) noexcept nogil:
    """True if the battery is to be cut off now, or to stay so: by what it would do if it were not."""
    cdef double charge = b.x.state_of_charge[0]
    return (
        charge <= b.p.cut_off_charge[0]
        or battery_load(b, False, False).voltage < b.p.cut_off_voltage[0]
        or (b.z.cut_off[0] != 0.0 and charge < b.p.restart_charge[0])
    )


cdef inline bint battery_full(const BatteryView* b) noexcept nogil:
    """True if it is to take no more."""
    return b.x.state_of_charge[0] >= 1.0 and battery_wanted(b) < 0.0


cdef inline void battery_outputs(const BatteryView* b, double t) noexcept nogil:
    """voltage, current, power, empty; state_of_charge is a state."""
    cdef BatteryLoad load
    if b.y.voltage != NULL or b.y.current != NULL or b.y.supplied != NULL:
        load = battery_load(b, b.z.cut_off[0] != 0.0, b.z.full[0] != 0.0)
        if b.y.voltage != NULL:
            b.y.voltage[0] = load.voltage
        if b.y.current != NULL:
            b.y.current[0] = load.current
        if b.y.supplied != NULL:
            b.y.supplied[0] = load.voltage * load.current
    if b.y.empty != NULL:
        b.y.empty[0] = b.z.cut_off[0]


cdef inline void battery_derivatives(const BatteryView* b, double t) noexcept nogil:
    """ds/dt = -i / Q, times the charge efficiency where it charges."""
    cdef double current = battery_load(b, b.z.cut_off[0] != 0.0, b.z.full[0] != 0.0).current
    if current < 0.0:
        current *= b.p.charge_efficiency[0]
    b.dx.state_of_charge[0] = -current / b.p.capacity[0]


cdef inline void battery_update(const BatteryView* b, double t) noexcept nogil:
    """Cut off or back again; full or not."""
    b.z.cut_off[0] = 1.0 if battery_cut_off(b) else 0.0
    b.z.full[0] = 1.0 if battery_full(b) else 0.0


cdef inline void battery_crossings(const BatteryView* b, double t) noexcept nogil:
    """Where a mode is to change."""
    cdef double distance
    if b.z.cut_off[0] == 0.0:
        distance = smaller(
            b.x.state_of_charge[0] - b.p.cut_off_charge[0],
            battery_load(b, False, False).voltage - b.p.cut_off_voltage[0],
        )
    else:
        distance = b.x.state_of_charge[0] - b.p.restart_charge[0]
    b.g.cutting[0] = side(battery_cut_off(b) != (b.z.cut_off[0] != 0.0), distance)
    distance = b.x.state_of_charge[0] - 1.0 if b.z.full[0] == 0.0 else battery_wanted(b)
    b.g.filling[0] = side(battery_full(b) != (b.z.full[0] != 0.0), distance)
