"""The same session of a model over stdio and HTTP, in processes of their own."""

from __future__ import annotations

import pytest

from commonplace.settings import Settings
from tests.surfaces.memories.drawer import ROOT, Drawer
from tests.surfaces.nearness import embedded_at
from tests.surfaces.processes import STORES_AND_TRANSPORTS, Processes

FILE = "/memories/prefs.md"


@pytest.mark.requirement("memories.surface.both-transports")
@pytest.mark.parametrize(("dialect", "transport"), STORES_AND_TRANSPORTS)
def test_a_session_over_the_wire(
    processes: Processes, settings: Settings, endpoint: str, transport: str
) -> None:
    wired = settings.model_copy(
        update={"org": "acme", "agent": "alice", "surfaces": "memories", **embedded_at(endpoint)}
    )
    over_stdio = transport == "stdio"
    caller = processes.stdio(wired).caller if over_stdio else processes.connect(
        processes.http(wired)
    )  # fmt: skip
    drawer = Drawer(caller)
    assert list(caller.tools()) == ["memory"]
    drawer.file(FILE, "one\n")
    drawer("str_replace", path=FILE, old_str="one", new_str="two")
    drawer("insert", path=FILE, insert_line=1, insert_text="three")
    drawer("rename", old_path=FILE, new_path="/memories/q.md")
    assert drawer.lines("/memories/q.md") == ["two", "three", ""]
    told = drawer.refusal("view", path=FILE)
    assert told == f"The path {FILE} does not exist. Please provide a valid path."
    drawer("delete", path="/memories/q.md")
    assert drawer.listed() == [ROOT]
