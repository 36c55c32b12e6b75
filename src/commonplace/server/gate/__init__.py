"""Which requests are admitted: host check, authentication, scopes and rate limits."""
