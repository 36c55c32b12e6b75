"""The life cycle of an entry: store, edit, supersede, delete, restore, purge."""
