"""The official TypeScript clients, old and new generation: each on both transports, both stores."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import environment, run_process
from tests.stores import MakeDatabase
from tests.transports.node import run_node
from tests.transports.serving import PRODUCT, ROOT, served


@pytest.fixture
def settings(dialect: str, make_database: MakeDatabase) -> dict[str, str]:
    """With the worker, because finding by meaning needs embeddings."""
    worker = {"COMMONPLACE_WORKER": "true"}
    if dialect == "sqlite":
        return worker
    patient = {"COMMONPLACE_RATE_LIMIT": "100000"}
    return worker | patient | {"COMMONPLACE_DATABASE_URL": make_database(dialect).address}


def token_for(agent: str, settings: dict[str, str]) -> str | None:
    """A team's server wants one; one's own machine needs none."""
    if "COMMONPLACE_DATABASE_URL" not in settings:
        return None
    scopes = ("--scopes", "knowledge:read,knowledge:write")
    made = run_process(
        settings,
        *("token", "create", "--new-org", "--org", "acme", "--agent", agent),
        *(*scopes, "--json"),
    )
    token: str = made.document["token"]
    return token


def check_journey(generation: str, where: dict[str, Any], folder: Path) -> None:
    done = run_node("journey.mjs", generation, json.dumps(where), home=folder)
    assert done.code == 0, done.output
    report = json.loads(done.printed)
    assert report["server"]["name"] == "commonplace"
    assert {"store_knowledge", "search_knowledge", "supersede_knowledge"} <= set(report["tools"])
    assert report["stored"]["structuredContent"]["embeddingStatus"] == "pending"
    assert report["hit"]["title"] == "Cache invalidation"
    assert report["entry"]["body"].startswith("Purge the CDN cache")
    assert report["entry"]["createdByAgentId"] == f"typescript-{generation}"


@pytest.mark.parametrize(("generation", "dialect"), [("v1", "postgres"), ("v2", "sqlite")])
def test_over_http(node: None, settings: dict[str, str], tmp_path: Path, generation: str) -> None:
    with served(PRODUCT, tmp_path, **settings) as server:
        token = token_for(f"typescript-{generation}", settings)
        check_journey(generation, {"url": server.endpoint, "token": token}, tmp_path)


@pytest.mark.parametrize(("generation", "dialect"), [("v1", "sqlite"), ("v2", "postgres")])
def test_over_stdio(node: None, settings: dict[str, str], tmp_path: Path, generation: str) -> None:
    where = {
        "command": sys.executable,
        "args": ["-m", PRODUCT, "mcp"],
        "env": environment({"COMMONPLACE_HOME": str(tmp_path / "home"), **settings}),
        "cwd": str(ROOT),
    }
    check_journey(generation, where, tmp_path)
