"""The installation with a standby: its files are true, and its scripts do what they say."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from commonplace.bootstrap import build
from commonplace.operations.status.service import Vitals
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from commonplace.storage.port import Replication
from tests.debian import program
from tests.deploy.test_deploy import DEPLOY, IMAGES, KNOWN
from tests.docs.test_pages import unknown
from tests.loopback import free_port
from tests.team.cluster import PROGRAMS, SERVER_USER, Cluster, server_folder
from tests.waiting import eventually

RULES = DEPLOY / "prometheus" / "commonplace.rules.yaml"
METRIC = re.compile(r"\bcommonplace_[a-z_]+\b")
OWN_IMAGES = IMAGES | {"commonplace-pgbouncer"}


def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.replicated.yaml").read_text())
    return document


def test_every_metric_of_an_alert_is_there(tmp_path: Path) -> None:
    """By a server that has been called, has failed and has replicas."""
    application = build(Settings(home=tmp_path))
    meter = CallMeter()
    meter.observe("search", "storage.busy", 0.1)
    vitals = application.status.vitals()
    meter.watch(lambda: _with_replicas(vitals))
    known = set(re.findall(r"^(commonplace_\w+)", meter.exposition()[0].decode(), re.MULTILINE))
    application.close()
    rules = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
    for rule in rules:
        named = set(METRIC.findall(rule["expr"]))
        assert named <= known, rule["alert"]
        assert named or "up{" in rule["expr"], rule["alert"]
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"]
    assert len({rule["alert"] for rule in rules}) == len(rules)


def _with_replicas(vitals: Vitals) -> Vitals:
    return replace(vitals, replication=Replication(2, 1, 10, 90))


def test_compose_has_two_of_everything() -> None:
    services = compose()["services"]
    assert services.keys() == {"serve", "worker", "db1", "db2", "pgbouncer", "redis"}
    assert {services[name]["deploy"]["replicas"] for name in ("serve", "worker")} == {2}
    assert {service["image"] for service in services.values()} <= OWN_IMAGES
    for name in ("serve", "worker"):
        assert unknown(["commonplace", *services[name]["command"]]) == ""
        assert set(services[name]["environment"]) <= KNOWN
    for service in services.values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert not source.startswith("./") or (DEPLOY / source).is_file(), source


def test_servers_go_through_the_pooler_and_workers_do_not() -> None:
    services = compose()["services"]
    serving, working = (services[name]["environment"] for name in ("serve", "worker"))
    assert "@pgbouncer:6432/" in serving["COMMONPLACE_DATABASE_URL"]
    assert "@db2:5432/" in serving["COMMONPLACE_REPLICA_URL"]
    assert "@db1:5432,db2:5432/" in working["COMMONPLACE_DATABASE_URL"], "they hear of work"
    assert services["pgbouncer"]["environment"]["DATABASE_HOST"] == "${PRIMARY:-db1}"
    assert services["db1"]["environment"]["STANDBY_NAME"] == services["db2"]["hostname"] == "db2"


@pytest.mark.parametrize("file", sorted(DEPLOY.rglob("*.sh")), ids=lambda file: file.name)
def test_scripts_can_be_read_by_their_shell(file: Path) -> None:
    shell = file.read_text().splitlines()[0].removeprefix("#!")
    subprocess.run([shell, "-n", str(file)], check=True)


def test_the_primary_is_followed_and_the_standby_can_take_over(cluster: Cluster) -> None:
    """Both scripts as the images run them, with sockets for addresses."""
    with server_folder() as folder:
        here = _told(
            cluster, PGDATA=str(cluster.data), STANDBY_NAME="db2", POSTGRES_USER="postgres"
        )
        _run("primary.sh", here)
        cluster.command("SELECT pg_reload_conf()")
        data = folder / "data"
        there = _told(cluster, PGDATA=str(data), PRIMARY_HOST=cluster.host, HOSTNAME="db2")
        start = [str(PROGRAMS / "pg_ctl"), "-w", "-D", str(data), "-o", f"-h '' -k {folder}"]
        _run("standby.sh", there, *start, "-l", str(folder / "log"), "start")
        try:
            followed = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
            eventually(lambda: cluster.asked(followed) == 1)
            cluster.command("CREATE TABLE kept (number integer)")
            _run("standby.sh", there, str(PROGRAMS / "pg_ctl"), "-w", "-D", str(data), "promote")
            with psycopg.connect(f"host={folder} user=postgres dbname=postgres") as connection:
                connection.execute("INSERT INTO kept VALUES (1)")
        finally:
            stop = ("-m", "immediate", "stop")
            _run("standby.sh", there, str(PROGRAMS / "pg_ctl"), "-w", "-D", str(data), *stop)


def test_pgbouncer_runs_with_what_is_deployed(cluster: Cluster) -> None:
    """A password is asked for, and transactions are pooled."""
    port, found = free_port(), program(("pgbouncer",), "pgbouncer")
    told = {
        "DATABASE_HOST": cluster.host,
        "DATABASE_USER": "postgres",
        "DATABASE_PASSWORD": "secret",
        "LISTEN_PORT": str(port),
        "CONFIGURATION": str(DEPLOY / "pgbouncer" / "pgbouncer.ini"),
        "PATH": f"{Path(found).parent}:{os.environ['PATH']}",
    }
    start = ["/bin/sh", str(DEPLOY / "pgbouncer" / "start.sh")]
    process = subprocess.Popen(start, env=told, user=SERVER_USER, stderr=subprocess.DEVNULL)
    try:
        eventually(lambda: _answers(port, "secret"))
        assert not _answers(port, "wrong")
    finally:
        process.kill()
        process.wait()


def _answers(port: int, password: str) -> bool:
    try:
        address = f"postgresql://postgres:{password}@127.0.0.1:{port}/postgres"
        with psycopg.connect(address) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def _told(cluster: Cluster, **more: str) -> dict[str, str]:
    path = f"{PROGRAMS}:{os.environ['PATH']}"
    return {"PATH": path, "PGHOST": cluster.host, "POSTGRES_PASSWORD": "change-me", **more}


def _run(script: str, told: dict[str, str], *arguments: str) -> None:
    file = DEPLOY / "postgres" / script
    shell = file.read_text().splitlines()[0].removeprefix("#!")
    subprocess.run(
        [shell, str(file), *arguments],
        env=told,
        user=SERVER_USER,
        cwd="/",
        check=True,
        stdout=subprocess.DEVNULL,
    )
