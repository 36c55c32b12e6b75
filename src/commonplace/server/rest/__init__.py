"""The REST API: sources, projects, pushed folders, the audit log."""
