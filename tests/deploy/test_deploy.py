"""The files in deploy/: every variable, command, option and address in them is real."""

from __future__ import annotations

import configparser
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from commonplace.server.gate.access_gate import is_open
from commonplace.settings import ENV_PREFIX, Settings, load_settings
from tests.docs.pages import REPOSITORY
from tests.docs.test_pages import unknown

DEPLOY = REPOSITORY / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
KNOWN = {f"{ENV_PREFIX}{name.upper()}" for name in Settings.model_fields}
VARIABLE = re.compile(rf"\b{ENV_PREFIX}[A-Z_]+\b")
IMAGES = {"python:3.11-slim", "pgvector/pgvector:pg17", "redis:7", "commonplace"}


def text_files() -> list[Path]:
    return sorted(file for file in DEPLOY.rglob("*") if file.is_file())


def example() -> dict[str, str]:
    lines = (DEPLOY / "commonplace.env.example").read_text().splitlines()
    given = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in given}


def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return document


def unit_of(file: Path) -> configparser.ConfigParser:
    """As systemd reads it: names keep their case, % is its own business."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
    parser.read_string(file.read_text())
    return parser


def instructions(file: Path) -> Iterator[tuple[str, str]]:
    text = re.sub(r"\\\n\s*", "", file.read_text())
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


@pytest.mark.parametrize("file", text_files(), ids=lambda file: file.name)
def test_every_variable_is_a_setting(file: Path) -> None:
    assert set(VARIABLE.findall(file.read_text())) <= KNOWN


def test_the_example_can_be_used_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KNOWN:
        monkeypatch.delenv(name, raising=False)
    for name, value in example().items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert settings.database_url is not None
    assert not settings.worker, "workers are processes of their own"


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.name)
def test_a_unit_starts_a_command_that_exists(file: Path) -> None:
    unit = unit_of(file)
    service = unit["Service"]
    words = shlex.split(service["ExecStart"])
    if words[0] == "/bin/sh":
        words = shlex.split(words[2])[1:]
    assert words[0].endswith("/bin/commonplace")
    assert unknown(words) == ""
    assert service["EnvironmentFile"] == "/etc/commonplace/commonplace.env"
    assert service["User"] == "commonplace"
    assert service["NoNewPrivileges"] == "true"
    if service["Type"] == "exec":
        assert int(service["LimitNOFILE"]) >= 65_536
    assert set(unit.sections()) <= {"Unit", "Service", "Install"}


def test_the_timer_starts_the_backup() -> None:
    timer = DEPLOY / "systemd" / "commonplace-backup.timer"
    assert unit_of(timer)["Timer"]["OnCalendar"] == "daily"
    assert timer.with_suffix(".service").exists()


def test_the_image_runs_a_command_that_exists() -> None:
    found = list(instructions(DEPLOY / "Dockerfile"))
    assert {rest.split()[0] for word, rest in found if word == "FROM"} == {"python:3.11-slim"}
    named = dict(found)
    words = json.loads(named["ENTRYPOINT"]) + json.loads(named["CMD"])
    assert unknown(words) == ""
    assert words[-1] == named["EXPOSE"]
    assert named["USER"] == "commonplace"
    for word, rest in found:
        if word == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert (REPOSITORY / source).exists(), source


def test_the_image_is_built_from_what_it_copies() -> None:
    kept = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    for line in kept:
        if line.startswith("!"):
            assert (REPOSITORY / line[1:]).exists(), line


def test_compose_runs_two_servers_and_two_workers() -> None:
    services = compose()["services"]
    assert {name: s.get("deploy", {}).get("replicas", 1) for name, s in services.items()} == {
        "serve": 2,
        "worker": 2,
        "postgres": 1,
        "redis": 1,
    }
    for name in ("serve", "worker"):
        service = services[name]
        assert unknown(["commonplace", *service["command"]]) == ""
        assert set(service["environment"]) <= KNOWN
        assert set(service["depends_on"]) == {"postgres", "redis"}
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).exists()
        assert service["env_file"] == "commonplace.env"
    assert {service["image"] for service in services.values()} <= IMAGES
    assert all("healthcheck" in services[name] for name in ("serve", "postgres", "redis"))


def test_compose_asks_for_an_address_that_is_open() -> None:
    serve = compose()["services"]["serve"]
    (path,) = re.findall(r"http://127\.0\.0\.1:8765(/\w+)", str(serve["healthcheck"]["test"]))
    assert is_open(path)
    (published,) = serve["ports"]
    assert published.split(":")[0] == "127.0.0.1", "the proxy in front is on this machine"
    assert published.endswith(f":{serve['command'][-1]}")


def test_no_secret_is_in_the_repository() -> None:
    for name, value in example().items():
        if name == "COMMONPLACE_TOKEN_KEY" or "@" in value:
            assert "change-me" in value, name
    assert not (DEPLOY / "commonplace.env").exists()
