"""The storage port, implemented once on named statements that both databases have."""
