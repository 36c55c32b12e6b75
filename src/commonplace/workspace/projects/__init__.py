"""Projects, scopes, the source policy, and the state of attachments."""
