"""The surface in processes of their own, over both transports: what was kept stays."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from commonplace.settings import Settings
from tests.surfaces.clients import Connections
from tests.surfaces.nearness import embedded_at
from tests.surfaces.processes import Processes
from tests.surfaces.workspace.bench import TOOL, adding, noting, recording, scoped
from tests.surfaces.workspace.conftest import OpenBench


@pytest.mark.requirement("workspace.tool.survives-restart", "workspace.tool.no-tier-gate")
def test_everything_is_there_after_a_crash(
    settings: Settings,
    processes: Processes,
    open_bench: OpenBench,
    connect: Connections,
    endpoint: str,
    tmp_path: Path,
) -> None:
    told = {"org": "acme", "agent": "alice", "roots": "/", **embedded_at(endpoint)}
    settings = settings.model_copy(update=told)
    (tmp_path / "shop" / "docs").mkdir(parents=True)
    refunds = tmp_path / "shop" / "docs" / "refunds.md"
    refunds.write_text("# Refunds\n\nSlow as a glacier.\n")
    # What was written a moment ago is looked at again by who watches the folder.
    os.utime(refunds, (long_ago := time.time() - 3600, long_ago))
    project = open_bench().project("shop")

    first = processes.stdio(settings)
    folder = adding(tmp_path / "shop" / "docs")
    first.caller.call(TOOL, action="update_sources", **scoped(project), operations=[folder])
    first.caller.call(TOOL, action="ingest", **scoped(project))
    note = {"agentHandle": "reviewer", "body": "Glacier is our word for slow."}
    first.caller.call(TOOL, action="record_entry", **noting(project), **note)
    task = {"recordType": "task", "recordId": "T-1", "recordVersion": 1, "body": "A glacier."}
    first.caller.call(TOOL, action="record_entry", **recording(project, "create"), **task)
    first.kill()

    second = connect(processes.http(settings))
    shown = second.call(TOOL, action="get", **scoped(project))
    kinds = {
        one["knowledgeType"]: one["indexStatus"] for one in [*shown["resources"], *shown["entries"]]
    }
    assert kinds.keys() == {"docs", "agent_knowledge", "valdr_record"}
    assert kinds["docs"] == "ready"
    hits = second.call(TOOL, action="search", query="glacier", **scoped(project))["hits"]
    assert {hit["knowledgeType"] for hit in hits} == kinds.keys()
