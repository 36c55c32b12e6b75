"""The REST side: sources, projects, folders that are sent, the record of changes."""
