"""The memory services, which touch the store: open, remember, revise, add, recent, files."""
