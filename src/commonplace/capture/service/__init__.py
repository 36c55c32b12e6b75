"""Capturing from texts, deciding on what waits, learning from both."""
