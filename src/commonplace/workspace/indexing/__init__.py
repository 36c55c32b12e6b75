"""Folders to chunks: what has changed of them, and how files are cut."""
