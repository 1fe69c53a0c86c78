"""Systems of FMUs: diagrams leave as SSP and as OSP, and SSP comes back as a diagram."""
