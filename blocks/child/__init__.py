"""Child processes that do what could take this one along: run foreign code, read files that may be damaged."""
