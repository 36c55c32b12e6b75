"""Notebooks and records of another agent: what only the scope for it allows."""

from __future__ import annotations

import pytest

from commonplace.model.actor import Scope
from tests.surfaces.workspace.bench import TOOL, Bench, noting, recording

NOT_OWNER = "KNOWLEDGE_AUTH_NOT_OWNER"


@pytest.mark.requirement("workspace.record_entry.others-entries")
def test_anothers_notebook_and_record(bench: Bench) -> None:
    book, record = bench.append(None, "Alice's memory."), bench.create(None)
    bob = bench.premises.caller("bob", bench.org)
    entrusted = bench.premises.caller("bob", bench.org, scopes=",".join(Scope))
    forged = {"action": "record_entry", **noting(None), "agentHandle": book["agentHandle"]}
    deleting = {"action": "record_entry", **noting(None, "delete"), "entryId": book["id"]}
    forgetting = {"action": "record_entry", **recording(None, "delete"), "entryId": record["id"]}
    for given in ({**forged, "body": "Forged."}, deleting, forgetting):
        refused = bob.refusal(TOOL, **given)
        assert refused["code"] == NOT_OWNER
        assert Scope.WRITE_OTHERS in refused["message"]
    assert [hit["title"] for hit in bench.hits("memory", retrievalMode="lexical")]
    assert bench.append(None, "More of Alice's.")["noteCount"] == 2
    updating = {"action": "record_entry", **recording(None, "update"), "entryId": record["id"]}
    assert bob.call(TOOL, **updating, body="It has changed.")["entry"]["id"] == record["id"]
    assert entrusted.call(TOOL, **forged, body="Allowed.")["entry"]["noteCount"] == 3
    for given in (deleting, forgetting):
        assert entrusted.call(TOOL, **given)["deleted"] is True
