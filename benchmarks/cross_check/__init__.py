"""FMUs of Keelblocks in every importing tool that there is here, as the FMI cross-check has it."""
