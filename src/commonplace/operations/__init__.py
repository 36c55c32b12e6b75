"""Operator tasks: status, audit, insight, export and import."""
