"""Settings: read once from COMMONPLACE_* variables, frozen, each field describing itself."""

from __future__ import annotations

import os

from pydantic import ConfigDict, ValidationError

from commonplace.errors import SettingsInvalid
from commonplace.settings.access import AccessSettings
from commonplace.settings.embedding import EmbeddingSettings
from commonplace.settings.extras import lacks
from commonplace.settings.knowledge import KnowledgeSettings
from commonplace.settings.reading import ReadingSettings
from commonplace.settings.serving import EVERY_SURFACE, PORT, SURFACES, ServingSettings
from commonplace.settings.storage import StorageSettings
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
]

# Names that a dialect's users know a setting by; ours goes before them.
_ALSO_KNOWN_AS = {"max_source_files": "VALDR_KNOWLEDGE_MAX_SOURCE_FILES"}


# Pydantic lists the fields of the last part first.
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
    """Read the environment; a wrong value is explained without being shown."""
    given = {name: _in_environment(name) for name in Settings.model_fields}
    present = {name: value for name, value in given.items() if value}
    # That name is set for any program: it stops nobody who has not the extra.
    collector = os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT")
    if collector and not lacks("otlp_endpoint"):
        present.setdefault("otlp_endpoint", collector)
    try:
        settings = Settings.model_validate(present | overrides)
    except ValidationError as error:
        problems = "; ".join(_explain(list(p["loc"]), p["msg"]) for p in error.errors())
        raise SettingsInvalid(problems) from None
    if settings.embedding_url and not (settings.embedding_model and settings.embedding_dimension):
        raise SettingsInvalid(
            f"{ENV_PREFIX}EMBEDDING_URL needs {ENV_PREFIX}EMBEDDING_MODEL "
            f"and {ENV_PREFIX}EMBEDDING_DIMENSION beside it"
        )
    if settings.oauth_issuer and not settings.public_url:
        raise SettingsInvalid(f"{ENV_PREFIX}OAUTH_ISSUER needs {ENV_PREFIX}PUBLIC_URL beside it")
    for name in Settings.model_fields:
        if getattr(settings, name) and (extra := lacks(name)):
            raise SettingsInvalid(
                f"{ENV_PREFIX}{name.upper()} needs the extra `{extra}`: install "
                f"commonplace-mcp[{extra}], from a clone .[{extra}]"
            )
    return settings


def _in_environment(name: str) -> str:
    own = os.environ.get(ENV_PREFIX + name.upper(), "")
    return own or os.environ.get(_ALSO_KNOWN_AS.get(name, ""), "")


def _explain(location: list[int | str], message: str) -> str:
    name = "_".join(str(part) for part in location).upper()
    return f"{ENV_PREFIX}{name}: {message.removeprefix('Value error, ')}"
