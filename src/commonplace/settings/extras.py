"""Which settings need packages of an optional extra."""

from __future__ import annotations

from importlib.util import find_spec

# Setting -> our extra, and a package that shows whether it is installed.
_NEEDED = {
    "database_url": ("team", "psycopg"),
    "redis_url": ("team", "redis"),
    "otlp_endpoint": ("telemetry", "opentelemetry.sdk"),
}


def missing_extra(setting: str) -> str | None:
    """The extra that a setting needs but that is not installed; None if nothing is missing."""
    extra, package = _NEEDED.get(setting, (None, ""))
    return extra if extra and not _is_installed(package) else None


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the parent package is missing too
        return False
