"""The life of an entry: storing, editing, superseding, deleting, restoring, purging."""
