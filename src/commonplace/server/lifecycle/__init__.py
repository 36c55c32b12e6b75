"""How a server runs beside its requests: threads, connections, memory, and how it ends."""
