"""Settings: read once from COMMONPLACE_* variables, frozen, each with its own description."""

from __future__ import annotations

import os

from pydantic import ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from commonplace.errors import SettingsInvalid
from commonplace.settings.access import AccessSettings
from commonplace.settings.embedding import EmbeddingSettings
from commonplace.settings.extras import missing_extra
from commonplace.settings.knowledge import KnowledgeSettings
from commonplace.settings.reading import ReadingSettings
from commonplace.settings.serving import EVERY_SURFACE, PORT, SURFACES, ServingSettings
from commonplace.settings.storage import StorageSettings
from commonplace.settings.strays import stray_variables
from commonplace.settings.values import ENV_PREFIX, lowered_names_of, names_of

__all__ = [
    "ENV_PREFIX",
    "EVERY_SURFACE",
    "PORT",
    "SURFACES",
    "Settings",
    "load_settings",
    "lowered_names_of",
    "names_of",
    "unread_variables",
]

# Variables that users of a dialect know a setting by; our own name takes precedence.
_ALSO_KNOWN_AS = {"max_source_files": "VALDR_KNOWLEDGE_MAX_SOURCE_FILES"}


# Pydantic lists the fields of the last base class first.
class Settings(
    ReadingSettings,
    EmbeddingSettings,
    KnowledgeSettings,
    ServingSettings,
    AccessSettings,
    StorageSettings,
):
    """Everything that can be configured."""

    model_config = ConfigDict(defer_build=False)


def load_settings(**overrides: object) -> Settings:
    """Read the environment. An error names the variable and the problem, never the value."""
    given = {name: _in_environment(name) for name in Settings.model_fields}
    present = {name: value for name, value in given.items() if value}
    # This variable is set for all programs, so it must not fail for lack of an extra.
    collector = os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT")
    if collector and not missing_extra("otlp_endpoint"):
        present.setdefault("otlp_endpoint", collector)
    try:
        settings = Settings.model_validate(present | overrides)
    except ValidationError as error:
        problems = "; ".join(map(_explain, error.errors()))
        raise SettingsInvalid(problems) from None
    if settings.embedding_url and not (settings.embedding_model and settings.embedding_dimension):
        raise SettingsInvalid(
            f"{ENV_PREFIX}EMBEDDING_URL needs {ENV_PREFIX}EMBEDDING_MODEL "
            f"and {ENV_PREFIX}EMBEDDING_DIMENSION too"
        )
    if settings.oauth_issuer and not settings.public_url:
        raise SettingsInvalid(f"{ENV_PREFIX}OAUTH_ISSUER needs {ENV_PREFIX}PUBLIC_URL too")
    for name in Settings.model_fields:
        if getattr(settings, name) and (extra := missing_extra(name)):
            raise SettingsInvalid(
                f"{ENV_PREFIX}{name.upper()} needs the extra `{extra}`: install "
                f"commonplace-mcp[{extra}], or .[{extra}] in a clone"
            )
    return settings


def unread_variables() -> list[str]:
    """A sentence for each COMMONPLACE_* variable that nothing reads."""
    return stray_variables(Settings.model_fields)


def _in_environment(name: str) -> str:
    own = os.environ.get(ENV_PREFIX + name.upper(), "")
    return own or os.environ.get(_ALSO_KNOWN_AS.get(name, ""), "")


def _explain(problem: ErrorDetails) -> str:
    name = "_".join(str(part) for part in problem["loc"]).upper()
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "too_short":
        message = f"must have at least {problem['ctx']['min_length']} characters"
    return f"{ENV_PREFIX}{name}: {message}"
