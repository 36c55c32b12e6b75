"""Document sources: reading them, cutting them into chunks, keeping them up to date."""
