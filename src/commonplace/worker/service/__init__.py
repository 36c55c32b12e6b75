"""The parts of the worker that touch ports, each for one kind of work."""
