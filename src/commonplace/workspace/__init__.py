"""Projects and what is attached to them: scopes, the source policy, notebooks and records."""
