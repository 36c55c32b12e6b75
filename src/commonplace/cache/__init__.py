"""Short-lived state that processes share: in one process, or in Redis."""
