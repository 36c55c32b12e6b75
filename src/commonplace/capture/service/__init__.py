"""Capture moments from texts, review them, and learn from the reviews."""
