"""`commonplace doctor`: healthy, and each kind of problem with how to mend it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.cli.commands import run_here, run_process
from tests.cli.test_commands import UNREACHABLE
from tests.issuer import local_issuer
from tests.redis_servers import RedisServer
from tests.stores import PostgresDatabases


def findings(settings: dict[str, str]) -> tuple[bool, dict[str, dict[str, Any]]]:
    outcome = run_here(settings, "doctor", "--json")
    document = outcome.document
    assert outcome.code == (0 if document["healthy"] else 1)
    assert "Traceback" not in outcome.stdout + outcome.stderr
    return document["healthy"], {finding["check"]: finding for finding in document["findings"]}


def problem(settings: dict[str, str], check: str) -> dict[str, Any]:
    """The one thing that is wrong, which must come with advice."""
    healthy, found = findings(settings)
    assert not healthy
    assert found[check]["state"] == "problem"
    assert found[check]["mend"]
    return found[check]


def test_a_healthy_installation(place: dict[str, str], dialect: str) -> None:
    healthy, found = findings(place)
    assert healthy, found
    assert dialect in found["store"]["found"]
    assert "granite" in found["model"]["found"]
    assert ("in the org local" in found["embeddings"]["found"]) is (dialect == "postgres")


def test_a_misspelled_setting_is_reported(home: dict[str, str]) -> None:
    """It would be ignored, and the default would be in force without a word."""
    misspelled = home | {"COMMONPLACE_PUBLC_URL": "https://a.example", "COMMONPLACE_MOVE_TO": "x"}
    healthy, found = findings(misspelled)
    assert healthy
    assert found["settings"]["state"] == "warning"
    assert found["settings"]["found"] == (
        "COMMONPLACE_PUBLC_URL is not a setting; did you mean COMMONPLACE_PUBLIC_URL?"
    )
    assert "settings" not in findings(home)[1]


def test_a_misspelled_setting_is_logged_by_what_runs(home: dict[str, str]) -> None:
    told = run_process(home | {"COMMONPLACE_NONSENSE": "x"}, "mcp").stderr
    assert "COMMONPLACE_NONSENSE is not a setting" in told


def test_people_see_marks_and_advice(home: dict[str, str]) -> None:
    outcome = run_process(home | UNREACHABLE, "doctor")
    assert outcome.code == 1
    assert "✓ store: sqlite" in outcome.stdout
    assert "✗ model: The embedding endpoint cannot be reached" in outcome.stdout
    assert "COMMONPLACE_EMBEDDING_URL" in outcome.stdout
    assert "127.0.0.1" not in outcome.stdout + outcome.stderr


def test_a_home_that_cannot_be_made(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    settings = {"COMMONPLACE_HOME": str(file / "home")}
    assert "COMMONPLACE_HOME" in problem(settings, "home")["mend"]
    outcome = run_here(settings, "add", "Title", "Body", "--json")
    assert outcome.document["error"]["code"] == "storage.unavailable"
    assert str(tmp_path) not in outcome.stdout


def database_file(home: dict[str, str]) -> Path:
    folder = Path(home["COMMONPLACE_HOME"])
    folder.mkdir()
    return folder / "commonplace.db"


def test_a_file_that_is_no_database(home: dict[str, str]) -> None:
    database_file(home).write_bytes(b"not a database, but long enough to be read as one" * 100)
    assert "backup" in problem(home, "store")["mend"]
    outcome = run_here(home, "list", "--json")
    assert outcome.document["error"]["code"] == "storage.damaged"


def test_a_database_with_damaged_pages(home: dict[str, str]) -> None:
    assert run_here(home | UNREACHABLE, "add", "Title", "Body").code == 0
    file = Path(home["COMMONPLACE_HOME"]) / "commonplace.db"
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)
    for remains in file.parent.glob("commonplace.db-*"):
        remains.unlink()
    assert "backup" in problem(home, "store")["mend"]


def test_a_database_of_a_newer_version(home: dict[str, str]) -> None:
    connection = sqlite3.connect(database_file(home))
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    found = problem(home, "store")
    assert "9999" in found["found"]
    assert "Upgrade" in found["mend"]
    outcome = run_here(home, "list", "--json")
    assert outcome.document["error"]["code"] == "storage.schema_too_new"


def test_a_database_server_that_is_down(home: dict[str, str]) -> None:
    settings = home | {"COMMONPLACE_DATABASE_URL": "postgresql://ada:hunter2@127.0.0.1:1/none"}
    assert "PostgreSQL" in problem(settings, "store")["mend"]
    outcome = run_process(settings, "list", "--json")
    assert outcome.document["error"]["code"] == "storage.unavailable"
    assert "hunter2" not in outcome.stdout + outcome.stderr


def test_a_database_that_its_administrator_must_prepare(
    home: dict[str, str], postgres_databases: PostgresDatabases
) -> None:
    postgres_databases.administer("CREATE ROLE visitor LOGIN")
    address = postgres_databases.bare()
    settings = home | {"COMMONPLACE_DATABASE_URL": address.replace("://postgres", "://visitor", 1)}
    found = problem(settings, "store")
    outcome = run_here(settings, "list", "--json")
    assert "CREATE EXTENSION" in found["found"]
    assert "administrator" in found["mend"]
    assert outcome.document["error"]["code"] == "storage.setup_required"


def test_a_database_that_refuses_is_quoted(
    home: dict[str, str], postgres_databases: PostgresDatabases
) -> None:
    """Wrong names and passwords look like an outage otherwise."""
    address = urlsplit(postgres_databases.bare())._replace(path="/nowhere").geturl()
    address = address.replace(":@", ":hunter2@", 1)
    assert "hunter2" in address
    found = problem(home | {"COMMONPLACE_DATABASE_URL": address}, "store")
    assert 'FATAL: database "nowhere" does not exist' in found["mend"]
    assert "hunter2" not in str(found)


@pytest.mark.parametrize(
    ("name", "value"),
    [("COMMONPLACE_DATABASE_URL", "mysql://ada:hunter2@db"), ("COMMONPLACE_LOG_LEVEL", "hunter2")],
)
def test_a_wrong_setting_is_named_and_not_shown(
    home: dict[str, str], name: str, value: str
) -> None:
    outcome = run_here(home | {name: value}, "doctor", "--json")
    assert outcome.document["error"]["code"] == "settings.invalid"
    assert name in outcome.document["error"]["message"]
    assert "hunter2" not in outcome.stdout + outcome.stderr


def test_redis_and_an_issuer_that_answer_or_do_not(
    home: dict[str, str], redis_server: RedisServer
) -> None:
    with local_issuer() as issuer:
        told = home | {
            "COMMONPLACE_REDIS_URL": redis_server.url,
            "COMMONPLACE_PUBLIC_URL": "https://knowledge.example.com",
            "COMMONPLACE_OAUTH_ISSUER": issuer.url,
        }
        _, found = findings(told)
        assert found["redis"]["state"] == found["issuer"]["state"] == "ok"
        issuer.broken = True
        healthy, away = findings(told | {"COMMONPLACE_REDIS_URL": "redis://127.0.0.1:1/0"})
    assert not healthy
    assert away["redis"]["state"] == "warning"
    assert "COMMONPLACE_REDIS_URL" in away["redis"]["mend"]
    assert away["issuer"]["state"] == "problem"


def test_placeholders_of_passwords_are_noticed(place: dict[str, str]) -> None:
    told = place | {"COMMONPLACE_REDIS_URL": "redis://:change-me@127.0.0.1:1/0"}
    found = run_here(told, "doctor", "--json").document["findings"]
    (secret,) = [finding for finding in found if finding["check"] == "secrets"]
    assert (secret["state"], "COMMONPLACE_REDIS_URL" in secret["found"]) == ("warning", True)
    refused = run_here(place | {"COMMONPLACE_TOKEN_KEY": "change-me-" * 4}, "doctor", "--json")
    assert refused.code == 1
    assert "is a placeholder" in refused.document["error"]["message"]
