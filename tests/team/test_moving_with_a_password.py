"""An org moves to a database that wants a password, and no other account can read it from `ps`."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.cli.commands import run_here
from tests.stores import SteppingClock, open_store
from tests.team.cluster import Cluster

PASSWORD = "n0t-f0r-0thers"


class Places:
    """Two databases of one server; the user of the second one is asked for a password."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self.folder, self.host = folder, cluster.host
        addresses = [cluster.database() for _ in range(2)]
        for address in addresses:
            open_store(address, SteppingClock()).close()
        self.settings = {
            "COMMONPLACE_HOME": str(folder / "home"),
            "COMMONPLACE_DATABASE_URL": addresses[0],
            "COMMONPLACE_LOG_LEVEL": "error",
        }
        self.target = addresses[1].partition("?")[0].rpartition("/")[2]
        cluster.command(f"CREATE ROLE mover LOGIN PASSWORD '{PASSWORD}'")
        cluster.command("GRANT commonplace_owner, commonplace_app TO mover")
        rules = cluster.data / "pg_hba.conf"
        rules.write_text(f"local all mover scram-sha-256\n{rules.read_text()}")
        cluster.command("SELECT pg_reload_conf()")

    def address(self, password: str = "") -> str:
        shown = f":{password}" if password else ""
        return f"postgresql://mover{shown}@/{self.target}?host={quote(self.host, safe='')}"

    def file(self, name: str, content: str) -> str:
        """For the eyes of its owner, as libpq wants it."""
        file = self.folder / name
        file.touch(0o600)
        file.write_text(content)
        return str(file)


@pytest.fixture(scope="module")
def places(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Places:
    return Places(cluster, tmp_path_factory.mktemp("places"))


def test_the_password_is_in_no_argument(places: Places) -> None:
    passwords = places.file("pgpass", f"*:*:*:mover:{PASSWORD}\n")
    service = f"[elsewhere]\nhost={places.host}\ndbname={places.target}\nuser=mover\n"
    services = places.file("services", f"{service}password={PASSWORD}\n")
    whole = places.address(PASSWORD)
    ways: list[tuple[dict[str, str], list[str], str]] = [
        ({"COMMONPLACE_MOVE_TO": whole}, [], ""),
        ({}, ["--to", "-"], f"{whole}\n"),
        ({"PGPASSFILE": passwords}, ["--to", places.address()], ""),
        ({"PGSERVICEFILE": services}, ["--to", "postgresql:///?service=elsewhere"], ""),
    ]
    for number, (told, arguments, given) in enumerate(ways):
        org, settings = f"org-{number}", places.settings | told
        run_here(settings, "org", "create", org)
        moved = run_here(settings, "org", "move", org, *arguments, "--json", stdin=given.encode())
        assert (moved.code, moved.document.get("org"), moved.stderr) == (0, org, "")


def test_who_shows_the_password_is_told_so(places: Places) -> None:
    run_here(places.settings, "org", "create", "shown")
    for address in (places.address(PASSWORD), f"{places.address()}&password={PASSWORD}"):
        moved = run_here(places.settings, "org", "move", "shown", "--to", address)
        assert moved.code == 0
        assert "Other accounts of this machine can see the password" in moved.stderr
        assert PASSWORD not in moved.stdout + moved.stderr


def test_a_password_that_is_missing_is_a_clear_error(places: Places) -> None:
    run_here(places.settings, "org", "create", "kept")
    refused = run_here(places.settings, "org", "move", "kept", "--to", places.address(), "--json")
    assert (refused.code, refused.document["error"]["code"]) == (1, "storage.unavailable")
    assert "kept" in run_here(places.settings, "org", "list").stdout
