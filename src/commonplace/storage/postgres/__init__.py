"""The team store: PostgreSQL with pgvector, shared by any number of processes."""
