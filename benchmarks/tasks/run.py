"""Tasks of an agent over stdio with the official client: calls and characters with `memory` alone
and with the five dialects, in homes that hold the same.

python -m benchmarks tasks [--transcript FILE]
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import Implementation, TextContent

from benchmarks.report import Cell, Report, Table, now
from benchmarks.tasks.home import WORKER, furnish
from benchmarks.tasks.tasks import DIALECTS, MEMORY, TASKS, Undone

ARMS = {"memory": MEMORY, "five dialects": DIALECTS}
_SECONDS = 300.0
_SHOWN = 1_500
_COLUMNS = ("calls", "characters", "done")


class Agent:
    """Calls, and counts what it sends and reads."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client
        self.calls = self.characters = 0
        self.said: list[str] = []

    def __call__(self, tool: str, /, **given: Any) -> str:
        answered = self._portal.call(self._client.call_tool, tool, given)
        (content,) = answered.content
        assert isinstance(content, TextContent)
        sent = json.dumps(given, ensure_ascii=False)
        self.calls += 1
        self.characters += len(tool) + len(sent) + len(content.text)
        self.said.append(f"> {tool} {sent}\n{content.text[:_SHOWN]}")
        return content.text

    def listed(self) -> int:
        """The characters that stand before the first call."""
        tools = self._portal.call(self._client.list_tools).tools
        shown = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
        each = (json.dumps(tool, separators=(",", ":"), ensure_ascii=False) for tool in shown)
        return sum(map(len, each)) + len(self._client.instructions or "")

    def reset(self) -> None:
        self.calls = self.characters = 0


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks tasks", description=__doc__)
    parser.add_argument("--transcript", type=Path, help="where to write what was asked and said")
    given = parser.parse_args(arguments)
    started = now()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        furnish(place / "home", place / "engine")
        done = {name: _arm(place, name, surfaces) for name, surfaces in ARMS.items()}
    if given.transcript:
        parts = (f"# {name}\n\n" + "\n\n".join(arm["said"]) for name, arm in done.items())
        given.transcript.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    Report("tasks", (_table(done),), NOTES).save(started)


NOTES = (
    (
        "Characters: the name of the tool, its arguments and the text of its answer, over all "
        "calls of a task. Every task is checked by words that must come, but with the dialects the "
        "fifth, where none says that it knows nothing, and the last, where notes cannot be listed."
    ),
    (
        "An agent of the dialects asks the searches in the order in which the server's "
        "instructions name them, until one answers; it is told the workspace's name, which no "
        "tool would tell."
    ),
)


def _arm(place: Path, name: str, surfaces: str) -> dict[str, Any]:
    """One agent does all tasks in a copy of the home."""
    home = place / name.replace(" ", "-")
    shutil.copytree(place / "home", home)
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        environment = {"COMMONPLACE_HOME": str(home), "COMMONPLACE_SURFACES": surfaces,
                       "COMMONPLACE_LOG_LEVEL": "error", "COMMONPLACE_AGENT": WORKER}  # fmt: skip
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "commonplace", "mcp"], env=environment
        )
        client = Client(
            stdio_client(server),
            mode="legacy",
            client_info=Implementation(name="bench", version="1"),
            read_timeout_seconds=_SECONDS,
        )
        agent = Agent(portal, stack.enter_context(portal.wrap_async_context_manager(client)))
        rows = [_done(agent, partial(getattr(task, _METHOD[name]), agent)) for task in TASKS]
        return {"rows": rows, "listed": agent.listed(), "said": agent.said}


_METHOD = {"memory": "memory", "five dialects": "dialects"}


def _done(agent: Agent, task: partial[None]) -> tuple[int, int, bool]:
    agent.reset()
    try:
        task()
    except Undone:
        return agent.calls, agent.characters, False
    return agent.calls, agent.characters, True


def _table(done: dict[str, dict[str, Any]]) -> Table:
    ours, theirs = done.values()
    rows: list[tuple[Cell, ...]] = []
    for task, one, other in zip(TASKS, ours["rows"], theirs["rows"], strict=True):
        rows.append((task.name, *_cells(one), *_cells(other)))
    sums = [[sum(row[n] for row in arm["rows"]) for n in (0, 1)] for arm in (ours, theirs)]
    rows.append(("all", *sums[0], "", *sums[1], ""))
    before = [(None, arm["listed"], "") for arm in (ours, theirs)]
    rows.append(("tools and instructions, once", *before[0], *before[1]))
    columns = ("task", *_COLUMNS, *(f"{column}, dialects" for column in _COLUMNS))
    return Table("With memory alone, and with the five dialects", columns, tuple(rows))


def _cells(row: tuple[int, int, bool]) -> tuple[Cell, ...]:
    return row[0], row[1], "yes" if row[2] else "no"


if __name__ == "__main__":
    main(sys.argv[1:])
