"""Settings from the environment: defaults, refusals that name the variable and hide the value."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from commonplace.errors import SettingsInvalid
from commonplace.settings import (
    ENV_PREFIX,
    EVERY_SURFACE,
    SURFACES,
    Settings,
    load_settings,
    names_of,
)
from commonplace.surfaces.catalog import ALL_SURFACES, DEFAULT_SURFACES, enabled_surfaces

SECRET = "hunter2"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(ENV_PREFIX + name.upper(), raising=False)


def test_the_default_home_follows_the_convention(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load_settings().home == tmp_path / "commonplace"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_settings().home == tmp_path / ".local" / "share" / "commonplace"


def test_a_given_home_may_start_at_the_users(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COMMONPLACE_HOME", "~/notes")
    assert load_settings().home == tmp_path / "notes"
    assert load_settings().database_file == tmp_path / "notes" / "commonplace.db"


def test_without_any_setting_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings()
    assert (settings.database_url, settings.embedding_url) == (None, None)
    assert (settings.org, settings.agent, settings.worker) == ("local", None, True)


def test_an_empty_variable_is_an_absent_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_ORG", "")
    monkeypatch.setenv("COMMONPLACE_DATABASE_POOL", "")
    assert (load_settings().org, load_settings().database_pool) == ("local", 8)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", f"mysql://ada:{SECRET}@db/notes"),
        ("DATABASE_URL", f"/{SECRET}/file.db"),
        ("DATABASE_URL", f"postgresql://ada:{SECRET}@[::1/notes"),
        ("DATABASE_POOL", "0"),
        ("DATABASE_POOL", f"many {SECRET}"),
        ("ORG", "x" * 101),
        ("AGENT", "x" * 101),
        ("HOME", f"~nobody-{SECRET}/notes"),
        ("EMBEDDING_URL", f"ftp://ada:{SECRET}@model"),
        ("EMBEDDING_URL", SECRET),
        ("EMBEDDING_DIMENSION", "4001"),
        ("EMBEDDING_DIMENSION", "7"),
        ("EMBEDDING_DIMENSION", "3.5"),
        ("EMBEDDING_THREADS", "0"),
        ("EMBEDDING_IDLE_SECONDS", "-1"),
        ("WORKER", SECRET),
        ("ORG", "system"),
        ("OAUTH_ORG", "System"),
        ("TOKEN_KEY", SECRET),
        ("REDIS_URL", f"http://ada:{SECRET}@cache"),
        ("RATE_LIMIT", "0"),
        ("PUBLIC_URL", SECRET),
        ("OAUTH_ISSUER", f"http://{SECRET}.example"),
        ("OAUTH_JWKS_URL", f"http://10.0.0.1/{SECRET}"),
        ("LOG_LEVEL", SECRET),
        ("SCOPES", SECRET),
        ("SURFACES", SECRET),
        ("SURFACES", f"notes,{SECRET}"),
    ],
)
def test_a_wrong_value_is_named_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(ENV_PREFIX + name, value)
    with pytest.raises(SettingsInvalid) as caught:
        load_settings()
    assert caught.value.message.startswith(f"COMMONPLACE_{name}: ")
    assert SECRET not in caught.value.message
    assert caught.value.__cause__ is None


def test_several_wrong_values_are_all_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_LOG_LEVEL", "loud")
    monkeypatch.setenv("COMMONPLACE_DATABASE_POOL", "0")
    with pytest.raises(SettingsInvalid, match=r"DATABASE_POOL.*LOG_LEVEL"):
        load_settings()


@pytest.mark.parametrize("missing", ["EMBEDDING_MODEL", "EMBEDDING_DIMENSION"])
def test_an_endpoint_needs_its_model_and_dimension(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    given = {
        "EMBEDDING_URL": "http://127.0.0.1:11434/v1",
        "EMBEDDING_MODEL": "m",
        "EMBEDDING_DIMENSION": "768",
    }
    for name, value in given.items():
        monkeypatch.setenv(ENV_PREFIX + name, value)
    assert load_settings().embedding_dimension == 768
    monkeypatch.delenv(ENV_PREFIX + missing)
    with pytest.raises(SettingsInvalid, match=missing):
        load_settings()


def test_secrets_stay_out_of_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_DATABASE_URL", f"postgresql://ada:{SECRET}@db/notes")
    monkeypatch.setenv("COMMONPLACE_EMBEDDING_API_KEY", SECRET)
    settings = load_settings()
    assert SECRET not in repr(settings) + str(settings)
    assert settings.database_url is not None
    assert SECRET in settings.database_url.get_secret_value()


def test_settings_are_frozen_and_described() -> None:
    settings = load_settings()
    with pytest.raises(ValidationError):
        settings.org = "other"
    assert all(field.description for field in Settings.model_fields.values())


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(SettingsInvalid, match="COMMONPLACE_HOME"):
        load_settings()


@pytest.mark.parametrize("given", ["foo", "Notes", "notes,foo", "notes;documents"])
def test_a_dialect_that_does_not_exist_is_refused_with_those_that_do(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("COMMONPLACE_SURFACES", given)
    with pytest.raises(SettingsInvalid) as refused:
        load_settings()
    assert "COMMONPLACE_SURFACES" in str(refused.value)
    for offered in ALL_SURFACES:
        assert offered.name in str(refused.value)


def test_every_dialect_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tuple(offered.name for offered in DEFAULT_SURFACES) == SURFACES
    assert tuple(offered.name for offered in ALL_SURFACES) == EVERY_SURFACE
    monkeypatch.setenv("COMMONPLACE_SURFACES", ", ".join(EVERY_SURFACE))
    assert enabled_surfaces(names_of(load_settings().surfaces)) == ALL_SURFACES
    monkeypatch.delenv("COMMONPLACE_SURFACES")
    assert enabled_surfaces(names_of(load_settings().surfaces)) == DEFAULT_SURFACES


@pytest.mark.parametrize(
    ("name", "value", "package", "extra"),
    [
        ("DATABASE_URL", "postgresql://nobody@127.0.0.1/none", "psycopg", "team"),
        ("REDIS_URL", "redis://127.0.0.1:6379", "redis", "team"),
        ("OTLP_ENDPOINT", "http://127.0.0.1:4318", "opentelemetry.sdk", "telemetry"),
    ],
)
def test_a_setting_whose_packages_are_not_installed_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, package: str, extra: str
) -> None:
    monkeypatch.setenv(ENV_PREFIX + name, value)
    assert getattr(load_settings(), name.lower())
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SettingsInvalid, match=rf"{name} needs the extra `{extra}`"):
        load_settings()


def test_a_collector_that_was_named_for_every_program_stops_nobody_without_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk", None)
    assert load_settings().otlp_endpoint is None
