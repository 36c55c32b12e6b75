"""The audit log: who changed what, and cursors that reveal nothing about other orgs."""
