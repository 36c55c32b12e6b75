"""The `memory` dialect, Commonplace's own: a few tools over all stored knowledge."""
