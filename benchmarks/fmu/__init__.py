"""FMUs: what the FMI front door costs, and the same model as FMUs of three kinds in four tools."""
