"""A plan as C99 for controllers: a header with names, one file, a step function; nothing else is needed."""
