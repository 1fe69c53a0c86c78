/* The FMU runtime: FMI 2.0 and 3.0, co-simulation and model exchange, over the engine.

   One translation unit, so that a step of the model is inlined into the functions that ask for it. Kernels may be linked
   behind it, see section.h; versions of FMI are built one by one. What the model is stands in its resources. A call that
   is refused has no effect; after a failure of the model itself the instance can be read, reset, set to a saved state or
   freed. Nothing is global but which vectors this processor has, where loops take them (wide_paths.h). */

#include "engine.c"

/* The engine is to be fast, and so is what asks it for a step; the other doors to it are to be small. */
#ifdef __clang__
#define DOORS_SMALL _Pragma("clang attribute push(__attribute__((minsize)), apply_to = function)")
#define DOORS_FAST _Pragma("clang attribute pop")
#else
#define DOORS_SMALL
#define DOORS_FAST
#endif

/* Functions that are called in one place, which is rare: gcc leaves them out of the way of what runs at every step. clang
   has them smaller where they are called. */
#if defined(__GNUC__) && !defined(__clang__)
#define DOOR_RARE __attribute__((cold))
#else
#define DOOR_RARE
#endif

DOORS_SMALL

#ifdef KEELBLOCKS_NO_FILES              /* for machines without a file system */
#include "resources_in_c.c"
#else
#include "resources.c"
#endif
#include "variables.c"
#include "instance.c"
#include "model_exchange.c"
#include "derivatives.c"
#include "front_door.c"
#include "state_handles.c"

#include "fmi2.c"
#include "fmi3.c"

DOORS_FAST
