"""What processes remember together for a short while: in one process, or in Redis."""
