"""What an FMU says of its model: variables, what they depend on, modelDescription.xml, documentation and drawings."""
