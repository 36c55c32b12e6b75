"""Answers one question from everything the caller may see: one ranking, scale and budget."""
