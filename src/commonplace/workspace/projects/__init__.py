"""Projects, scopes, which folders may be attached, what is attached and how it is doing."""
