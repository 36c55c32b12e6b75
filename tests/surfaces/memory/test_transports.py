"""All seven tools, the resources and the prompts over stdio and HTTP, in processes of their own."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from commonplace.settings import Settings
from tests.surfaces.clients import Caller
from tests.surfaces.memory.home import CART, references_in
from tests.surfaces.nearness import embedded_at
from tests.surfaces.processes import STORES_AND_TRANSPORTS, Processes


def converse(caller: Caller, folder: Path) -> None:
    """Something of everything, errors too."""
    made = caller.text("remember", text="Ids are made by version 7.", kind="decision")
    reference = references_in(made)[0]
    again = caller.text("remember", text="Ids are made by version 7.", kind="decision")
    assert reference in again
    assert "contradict" in caller.text("remember", text="Ids are made by version 4.")
    assert "version 7" in caller.text("open", reference=reference, history=True)
    assert "corrected" in caller.text(
        "revise", reference=reference, action="correct", text="Ids are made by version 8."
    )
    assert "restored" in caller.text("revise", reference=reference, action="restore")
    assert "Added" in caller.text("add", folder=str(folder), into="shop")
    assert "checkout" in caller.text("trace", symbol="Cart.add", ask="callers")
    assert reference in caller.text("recent", since="1d")
    assert caller.text("recall", question="Ids are made by version 7.")
    uri = f"commonplace://open/{quote(reference, safe='')}"
    assert "version 7" in caller.read_text(uri, "text/markdown")
    assert reference in caller.completions("commonplace://open/{id}", reference[:-3])
    assert "version 7" in caller.prompt("remember", text="version 7")
    assert caller.refusal("open", reference="note:0123456789")["code"] == "knowledge.not_found"
    assert "question" in caller.refusal("recall")["message"]


@pytest.mark.requirement("memory.surface.both-transports")
@pytest.mark.parametrize(("dialect", "transport"), STORES_AND_TRANSPORTS)
def test_the_memory_over_the_wire(
    processes: Processes, settings: Settings, endpoint: str, transport: str, tmp_path: Path
) -> None:
    folder = tmp_path / "work" / "shop"
    folder.mkdir(parents=True)
    (folder / "cart.py").write_text(CART, encoding="utf-8")
    update = {"org": "acme", "agent": "alice", "surfaces": "memory", "roots": "/"}
    wired = settings.model_copy(update={**update, **embedded_at(endpoint)})
    if transport == "stdio":
        converse(processes.stdio(wired).caller, folder)
    else:
        converse(processes.connect(processes.http(wired)), folder)
