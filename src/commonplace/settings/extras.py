"""Which settings need packages that not every install brings. Decides no setting."""

from __future__ import annotations

from importlib.util import find_spec

# The extra of ours that serves a setting, and a package by which it is known.
_NEEDED = {
    "database_url": ("team", "psycopg"),
    "redis_url": ("team", "redis"),
    "otlp_endpoint": ("telemetry", "opentelemetry.sdk"),
}


def lacks(setting: str) -> str | None:
    """The extra that a setting needs and this install does not have."""
    extra, package = _NEEDED.get(setting, (None, ""))
    return extra if extra and not _is_there(package) else None


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # not even the package around it
        return False
