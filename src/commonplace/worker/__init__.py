"""Background work: queued rows, claimed under a lease, retried, or visibly given up."""
