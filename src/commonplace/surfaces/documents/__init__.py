"""The `documents` dialect: search and list document sources."""
