/* FMI 3.0: communication steps, with what the importing tool may want on the way. Part of fmi3.c. */

/* One step of the solver. *event says that samples are due where it ends, or that signals jump there because modes
   change; memories of the last step, such as that of a rate limiter, change with every step and are no events. */
static int fmi3_step_to_event(Instance* m, double end, int* event) {
    Plan* s = m->plan;
    double* before = s->n_modes ? instance_backup(m, "fmi3DoStep") : NULL;
    int status = integrate(s, end, NULL, NULL);
    if (status == STATUS_END && before) {
        continuous_outputs(s, s->clock.t);
        memcpy(before, s->values, (size_t)s->header.signals * sizeof(double));
    }
    if (status == STATUS_END) status = plan_advance(s, s->clock.t, 0, NULL);
    if (status != STATUS_END) return status;
    *event = (s->header.rates && mark_due(s)) || (before && instance_differ(before, s->values, s->header.signals));
    return STATUS_END;
}

/* Let the importing tool read outputs and set inputs after a step of the solver. Returns where to stop: `end`, or earlier
   if it wants that. Sets the instance in error if reading showed that the model has failed. */
static double fmi3_show_step(Instance* m, double end, int last) {
    FrontDoor3* door = fmi3_door(m);
    const double t = m->plan->clock.t;
    fmi3Boolean early = fmi3False;
    fmi3Float64 early_time = t;
    m->state = INSTANCE_INTERMEDIATE;
    door->may_set = !last;
    door->intermediate_update(door->environment, t, door->may_set, fmi3True, fmi3True, door->early_return && !last,
        &early, &early_time);
    kb_take_ieee_arithmetic();          /* which the tool may have left otherwise */
    if (m->state == INSTANCE_INTERMEDIATE) m->state = INSTANCE_STEP_COMPLETE;
    if (!early || last || !door->early_return) return end;
    if (early_time > end) return end;
    return early_time > t ? early_time : t;
}

/* As instance_step, but the importing tool is told of every step of the solver, or of events, or of both. */
static int fmi3_watch_step(Instance* m, double point, double size, int* event, int* early) {
    const FrontDoor3* door = fmi3_door(m);
    Plan* s = m->plan;
    const double wanted = instance_on_grid(s, point + size);
    double end = wanted;
    int status;
    if (!instance_may_step(m, point, size, end)) return instance_refuse_step(m, "fmi3DoStep", point, size);
    status = plan_advance(s, s->clock.t, 0, NULL);      /* inputs may have changed */
    while (status == STATUS_END && s->clock.t < end - tolerance(s)) {
        *event = 0;
        if (door->event_mode) status = fmi3_step_to_event(m, end, event);
        else if ((status = plan_advance(s, end, 1, NULL)) == STATUS_PAUSED) status = STATUS_END;
        if (status != STATUS_END) break;
        if (door->intermediate_update) end = fmi3_show_step(m, end, s->clock.t >= end - tolerance(s));
        if (m->state != INSTANCE_STEP_COMPLETE) return INSTANCE_FAILED;
        if (*event && door->early_return) break;
    }
    *early = s->clock.t < wanted - tolerance(s);
    return status == STATUS_END ? INSTANCE_OK : instance_end_early(m, status);
}

/* What it keeps would be saved in steps that nobody watches, too. */
static int fmi3_watched_step(Instance* m, double point, double size, fmi3Boolean* event, fmi3Boolean* early) DOOR_RARE;

static int fmi3_watched_step(Instance* m, double point, double size, fmi3Boolean* event, fmi3Boolean* early) {
    const unsigned long long found = kb_take_ieee_arithmetic();
    int happened = 0, ended_early = 0;
    const int status = fmi3_watch_step(m, point, size, &happened, &ended_early);
    kb_put_arithmetic_back(found);
    *event = happened != 0;
    *early = fmi3_door(m)->early_return && ended_early;
    return status;
}

DOORS_FAST

/* Without early return, events within the step are handled here, and one at its end is told. If the model ends the
   simulation, that is no failure of the call. */
fmi3Status fmi3DoStep(
    fmi3Instance instance, fmi3Float64 currentCommunicationPoint, fmi3Float64 communicationStepSize,
    fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
    fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime
) {
    static const char function[] = "fmi3DoStep";
    Instance* m = (Instance*)instance;
    int status;
    (void)noSetFMUStatePriorToCurrentPoint;
    REQUIRE3(function, INSTANCE_STEP_COMPLETE);
    REQUIRE3_POINTER(function, eventHandlingNeeded);
    REQUIRE3_POINTER(function, terminateSimulation);
    REQUIRE3_POINTER(function, earlyReturn);
    REQUIRE3_POINTER(function, lastSuccessfulTime);
    *eventHandlingNeeded = *terminateSimulation = *earlyReturn = fmi3False;
    if (fmi3_door(m)->event_mode || fmi3_door(m)->intermediate_update)
        status = fmi3_watched_step(m, currentCommunicationPoint, communicationStepSize, eventHandlingNeeded, earlyReturn);
    else
        status = instance_step(m, function, currentCommunicationPoint, communicationStepSize);
    *lastSuccessfulTime = m->plan->clock.t;
    if (!INSTANCE_RARELY(m->stopped)) return (fmi3Status)status;
    *terminateSimulation = fmi3True;
    *earlyReturn = fmi3_door(m)->early_return != 0;
    return fmi3OK;
}

DOORS_SMALL
