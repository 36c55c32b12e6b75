"""The workspace wing: projects, what is attached to them, read, kept fresh and searched."""
