/* FMI 3.0: instances, initialization, configuration, end. Part of fmi3.c. */

/* A front door that knows the model, in place of the one that could only write messages. */
static int fmi3_complete_door(
    Instance* m, const char* function, const fmi3ValueReference required[], size_t n_required
) {
    const size_t rows = (size_t)m->variables.header.arrays;
    FrontDoor3* door;
    size_t i;
    if (n_required && required == NULL) {
        instance_refuse_null(m, function, "requiredIntermediateVariables");
        return 0;
    }
    door = (FrontDoor3*)m->allocate(1, sizeof(FrontDoor3) + rows);
    if (door == NULL) {
        instance_say(m, INSTANCE_FAILED, "%s: there is not enough memory", function);
        return 0;
    }
    memcpy(door, m->front_door, sizeof(FrontDoor3));
    for (i = 0; i < n_required; i++) {
        if (fmi3_array(m, required[i], FMI3_FLOAT64) == NULL) {
            fmi3_refuse_type(m, function, required[i], "Float64");
            m->release(door);
            return 0;
        }
        door->required[required[i]] = 1;
    }
    m->release(m->front_door);
    m->front_door = door;
    return 1;
}

/* An instance that can do no more than write messages; NULL if there is no memory. */
static Instance* fmi3_new(
    fmi3String name, fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message
) {
    Instance* m = instance_new(name ? name : "", calloc, free);
    if (m == NULL) return NULL;
    m->front_door = calloc(1, sizeof(FrontDoor3));
    if (m->front_door == NULL) {
        instance_free(m);
        return NULL;
    }
    fmi3_door(m)->environment = environment;
    fmi3_door(m)->log_message = log_message;
    m->write_log = fmi3_write_log;
    if (logging) m->log = LOG_ALL;
    return m;
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference requiredIntermediateVariables[], size_t nRequiredIntermediateVariables,
    fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3IntermediateUpdateCallback intermediateUpdate
) {
    static const char function[] = "fmi3InstantiateCoSimulation";
    Instance* m = fmi3_new(instanceName, loggingOn, instanceEnvironment, logMessage);
    (void)visible;
    if (m == NULL) return NULL;
    m->interface = INTERFACE_CO_SIMULATION;
    fmi3_door(m)->event_mode = eventModeUsed;
    fmi3_door(m)->early_return = earlyReturnAllowed;
    fmi3_door(m)->intermediate_update = intermediateUpdate;
    if (instance_open(m, function, instanceName, "instantiation token", instantiationToken, resourcePath)
        && fmi3_complete_door(m, function, requiredIntermediateVariables, nRequiredIntermediateVariables)) return m;
    instance_free(m);
    return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage
) {
    static const char function[] = "fmi3InstantiateModelExchange";
    Instance* m = fmi3_new(instanceName, loggingOn, instanceEnvironment, logMessage);
    (void)visible;
    if (m == NULL) return NULL;
    m->interface = INTERFACE_MODEL_EXCHANGE;
    if (instance_open(m, function, instanceName, "instantiation token", instantiationToken, resourcePath)
        && fmi3_complete_door(m, function, NULL, 0)) return m;
    instance_free(m);
    return NULL;
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3ClockUpdateCallback clockUpdate, fmi3LockPreemptionCallback lockPreemption,
    fmi3UnlockPreemptionCallback unlockPreemption
) {
    Instance* m = fmi3_new(instanceName, loggingOn, instanceEnvironment, logMessage);
    (void)instantiationToken;
    (void)resourcePath;
    (void)visible;
    (void)clockUpdate;
    (void)lockPreemption;
    (void)unlockPreemption;
    if (m == NULL) return NULL;
    instance_say(m, INSTANCE_FAILED, "fmi3InstantiateScheduledExecution: this FMU is for co-simulation and model exchange; "
        "its discrete parts keep their own time and cannot be scheduled from outside");
    instance_free(m);
    return NULL;
}

void fmi3FreeInstance(fmi3Instance instance) {
    Instance* m = (Instance*)instance;
    if (m == NULL) return;
    if (m->state == INSTANCE_INTERMEDIATE) instance_refuse_call(m, "fmi3FreeInstance");
    else instance_free(m);
}

fmi3Status fmi3EnterInitializationMode(
    fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance, fmi3Float64 startTime,
    fmi3Boolean stopTimeDefined, fmi3Float64 stopTime
) {
    static const char function[] = "fmi3EnterInitializationMode";
    Instance* m = (Instance*)instance;
    int status;
    REQUIRE3(function, INSTANCE_INSTANTIATED);
    status = instance_set_experiment(
        m, function, startTime, stopTimeDefined ? &stopTime : NULL, toleranceDefined ? &tolerance : NULL);
    return (fmi3Status)(status == INSTANCE_OK ? instance_begin_initialization(m) : status);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
    Instance* m = (Instance*)instance;
    int events;
    REQUIRE3("fmi3ExitInitializationMode", INSTANCE_INITIALIZATION);
    events = m->interface == INTERFACE_MODEL_EXCHANGE || fmi3_door(m)->event_mode;
    return (fmi3Status)instance_end_initialization(m, events ? INSTANCE_EVENT : INSTANCE_STEP_COMPLETE);
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3Terminate", FMI3_RUNNING | INSTANCE_STEP_FAILED);
    return (fmi3Status)instance_terminate(m, "fmi3Terminate");
}

fmi3Status fmi3Reset(fmi3Instance instance) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3Reset", FMI3_ANYTIME);
    return (fmi3Status)instance_reset(m, "fmi3Reset");
}
