"""The parts of the worker that use ports, one per kind of work."""
