"""Token issuers: verifying that they signed a token, and for this server."""
