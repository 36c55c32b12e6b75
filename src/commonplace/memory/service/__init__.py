"""What touches the store: opening, remembering, revising, adding, and what is new."""
