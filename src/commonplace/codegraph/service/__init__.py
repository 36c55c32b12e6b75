"""The code graph where it meets the store: updated, linked, asked, exchanged."""
