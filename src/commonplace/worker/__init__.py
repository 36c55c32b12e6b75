"""Work that is state: rows that wait, claimed under a lease, retried, or given up visibly."""
