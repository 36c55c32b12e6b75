"""The state of the server: contents, backlog, errors."""
