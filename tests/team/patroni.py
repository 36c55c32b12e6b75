"""Patroni and etcd of Debian's packages, which decide who is primary of the tests' PostgreSQL."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import yaml

from tests.debian import program
from tests.docs.pages import REPOSITORY
from tests.loopback import free_port, send
from tests.team.cluster import PROGRAMS, SERVER_USER, server_folder
from tests.waiting import eventually

DEPLOYED = REPOSITORY / "deploy" / "patroni" / "patroni.yml"
_OK = 200
_TRUSTED = {"username": "postgres", "password": "unused"}
_EVERYBODY = ("local all all", "host all all 127.0.0.1/32", "host replication all 127.0.0.1/32")


class Node:
    """One PostgreSQL server under Patroni."""

    def __init__(self, name: str, folder: Path, etcd: int) -> None:
        self.name, self._folder = name, folder
        self.port, self._api = free_port(), free_port()
        self.file = folder / f"{name}.yaml"
        self.file.write_text(yaml.safe_dump(self._configuration(etcd)))

    def is_primary(self) -> bool:
        return self._answers("primary")

    def is_synchronous(self) -> bool:
        return self._answers("synchronous")

    def kill(self) -> None:
        """The server, as a crash would end it; Patroni goes on and makes it follow the next one."""
        pid = int((self._data / "postmaster.pid").read_text().split()[0])
        psutil.Process(pid).kill()

    def database(self, name: str) -> None:
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())

    @property
    def _address(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    @property
    def _data(self) -> Path:
        return self._folder / f"data-{self.name}"

    def _answers(self, role: str) -> bool:
        with suppress(httpx.HTTPError):
            return send("GET", f"http://127.0.0.1:{self._api}/{role}").status_code == _OK
        return False

    def _configuration(self, etcd: int) -> dict[str, Any]:
        """What is deployed, with this machine's addresses and without passwords."""
        told: dict[str, Any] = yaml.safe_load(DEPLOYED.read_text())
        told |= {"name": self.name, "restapi": _at(self._api)}
        told["etcd3"] = {"host": f"127.0.0.1:{etcd}"}
        told["bootstrap"]["initdb"] += [{"auth": "trust"}]
        told["postgresql"] |= {
            **_at(self.port),
            "data_dir": str(self._data),
            "bin_dir": str(PROGRAMS),
            "authentication": dict.fromkeys(("superuser", "replication"), _TRUSTED),
            "pg_hba": [f"{line} trust" for line in _EVERYBODY],
            "parameters": {"unix_socket_directories": str(self._folder)},
        }
        return told


def _at(port: int) -> dict[str, str]:
    return {"listen": f"127.0.0.1:{port}", "connect_address": f"127.0.0.1:{port}"}


class PatroniTeam:
    """Two servers, of which one is primary and the other its synchronous standby."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes

    def address(self, database: str) -> str:
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://postgres@{hosts}/{database}"

    def until_one_leads(self) -> None:
        eventually(lambda: sum(node.is_primary() for node in self.nodes) == 1)

    def until_safe(self) -> None:
        """Until one leads, and the other keeps all that is acknowledged."""
        eventually(lambda: bool(self._pair()))

    def fail_over(self) -> None:
        """The primary is killed; the other one takes its place."""
        ((primary, standby),) = self._pair()
        primary.kill()
        eventually(standby.is_primary)

    def leader(self) -> Node:
        ((primary, _),) = self._pair()
        return primary

    def _pair(self) -> list[tuple[Node, Node]]:
        orders = (self.nodes, self.nodes[::-1])
        return [
            (one, other)
            for one, other in orders
            if one.is_primary() and other.is_synchronous() and not other.is_primary()
        ]


@contextmanager
def patroni_team() -> Iterator[PatroniTeam]:
    with server_folder() as folder, ExitStack() as stack:
        etcd = stack.enter_context(_etcd(folder))
        team = PatroniTeam([Node(name, folder, etcd) for name in ("one", "two")])
        command = program(("patroni",), "patroni")
        for node in team.nodes:
            stack.enter_context(_running(folder, node.name, [command, str(node.file)]))
            team.until_one_leads()
        team.until_safe()
        yield team


@contextmanager
def _etcd(folder: Path) -> Iterator[int]:
    client, peers = free_port(), free_port()
    here, between = f"http://127.0.0.1:{client}", f"http://127.0.0.1:{peers}"
    command = [
        program(("etcd",), "etcd-server"),
        "--name",
        "etcd",
        "--data-dir",
        str(folder / "etcd"),
    ]
    listening = ["--listen-client-urls", here, "--advertise-client-urls", here]
    listening += ["--listen-peer-urls", between, "--initial-advertise-peer-urls", between]
    with _running(folder, "etcd", [*command, *listening, "--initial-cluster", f"etcd={between}"]):
        eventually(lambda: _healthy(f"{here}/health"))
        yield client


def _healthy(address: str) -> bool:
    with suppress(httpx.HTTPError, json.JSONDecodeError):
        return bool(send("GET", address).json().get("health") == "true")
    return False


@contextmanager
def _running(folder: Path, name: str, command: list[str]) -> Iterator[None]:
    with (folder / f"{name}.log").open("w") as log:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            user=SERVER_USER,
            cwd="/",
            env={**plain, "HOME": str(folder)},
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait()
