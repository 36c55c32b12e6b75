"""How a server runs apart from its requests: threads, connections, memory, shutdown."""
