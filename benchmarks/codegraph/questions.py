"""Questions about code over MCP, answered by `trace` and judged by what compilers say.

python -m benchmarks questions --choose [PROJECT ...]   writes the list of questions
python -m benchmarks questions [--half tuning|held]     asks them
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import Implementation, TextContent

from benchmarks.codegraph.asking import SHARES, Asked, chosen, judged, parsed
from benchmarks.codegraph.known import Known, known_of
from benchmarks.codegraph.score import GroundTruth
from benchmarks.quality.datasets import DATA_VARIABLE
from benchmarks.report import Cell, Report, Table, now

LIST = Path(__file__).parent / "questions.json"
# Half of the projects were looked at while answers were worked on; the others were not.
HALVES = {
    "tuning": ("ky", "h3", "jsoup", "itsdangerous", "commons-csv"),
    "held": ("zustand", "hono", "jackson-core", "blinker", "javapoet"),
}
VERDICTS = ("complete", "partly", "misleading", "wrong")
_SECONDS = 600.0
_PAGE = 500
_NOTES = (
    (
        "complete: every place that the compiler knows is told as linked, and none that it leads "
        "elsewhere; partly: something is missing, and the answer says that something may be; "
        "misleading: something is missing or false, and it does not; wrong: nothing right."
    ),
    "Characters are those of the first page; verdicts are of all pages.",
    (
        "Calls are told from other uses by the bracket behind the name; bases by the header of "
        "the class; where something is defined is taken from our own parser."
    ),
)

Ask = Callable[..., str]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks questions", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA_VARIABLE))
    parser.add_argument("--choose", action="store_true", help="choose questions anew")
    parser.add_argument("--half", choices=HALVES, help="only this half of the projects")
    parser.add_argument("--wrong", action="store_true", help="print what is not complete")
    given = parser.parse_args(arguments)
    if given.data is None:
        sys.exit(f"Set {DATA_VARIABLE} or --data: benchmarks/codegraph/README.md says to what.")
    data = Path(given.data)
    if given.choose:
        _choose(data)
        return
    started = now()
    listed = [Asked(**one) for one in json.loads(LIST.read_text(encoding="utf-8"))]
    halves = {given.half: HALVES[given.half]} if given.half else HALVES
    rows = {name: _asked(data, listed, names, given.wrong) for name, names in halves.items()}
    Report("questions", (_by_half(rows), _by_kind(rows)), _NOTES).save(started)


def _choose(data: Path) -> None:
    names = [name for half in HALVES.values() for name in half]
    questions = [one for name in names for one in chosen(name, _known(data, name))]
    rows = ",\n".join(json.dumps(one.document()) for one in questions)
    LIST.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    print(f"{len(questions)} questions about {len(names)} projects")


def _known(data: Path, name: str) -> Known:
    with (data / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return known_of(data / "src" / name, GroundTruth(lines))


Row = tuple[Asked, str, int]


def _asked(data: Path, listed: Sequence[Asked], names: Sequence[str], wrong: bool) -> list[Row]:
    rows = []
    for name in names:
        known = _known(data, name)
        with tempfile.TemporaryDirectory() as home, _server(Path(home)) as ask:
            ask("add", folder=str(data / "src" / name), into=name)
            for question in (one for one in listed if one.project == name):
                verdict, size, text = _answered(ask, question, known)
                rows.append((question, verdict, size))
                if wrong and verdict != "complete":
                    print(verdict, question, text[:1500], sep="\n", end="\n\n")
    return rows


def _answered(ask: Ask, question: Asked, known: Known) -> tuple[str, int, str]:
    """The verdict on all pages, and what the first one looks like."""
    symbol = f"symbol:{question.project}/{question.file}#{question.symbol}"
    given: dict[str, Any] = {"symbol": symbol, "ask": question.ask, "project": question.project}
    if question.ask == "importers":
        given["symbol"] = question.file
    if question.ask in ("subclasses", "superclasses"):
        given["depth"] = 1
    if question.to:
        given["to"] = question.to
    first = ask("trace", **given)
    every = ask("trace", limit=_PAGE, **given)
    text = every if question.ask != "definition" else _as_places(every)
    return judged(question, parsed(text, question.project), known), len(first), first


def _as_places(text: str) -> str:
    """Definitions as places: `symbol:a/b.py#C.m method, line 7`."""
    lines = (
        line.removeprefix("symbol:") for line in text.split("\n") if line.startswith("symbol:")
    )
    parts = (line.partition("#") for line in lines)
    return "\n".join(
        f"{file}:{rest.rpartition('line ')[2]} {rest.split()[0]}" for file, _, rest in parts
    )


@contextmanager
def _server(home: Path) -> Iterator[Ask]:
    environment = {
        "COMMONPLACE_HOME": str(home), "COMMONPLACE_SURFACES": "memory",
        "COMMONPLACE_LOG_LEVEL": "error", "COMMONPLACE_INGEST_EMBEDDING_SECONDS": "0",
        "COMMONPLACE_WORKER": "false",
    }  # fmt: skip
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "commonplace", "mcp"], env=environment
    )
    info = Implementation(name="bench", version="1")
    client = Client(
        stdio_client(server), mode="legacy", client_info=info, read_timeout_seconds=_SECONDS
    )
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(client) as connected,
    ):

        def ask(tool: str, /, **given: Any) -> str:
            (content,) = portal.call(connected.call_tool, tool, given).content
            assert isinstance(content, TextContent)
            return content.text

        yield ask


def _row(name: str, rows: Sequence[Row]) -> tuple[Cell, ...]:
    counts = Counter(verdict for _, verdict, _ in rows)
    sizes = [size for _, _, size in rows]
    shares = [counts[verdict] / max(1, len(rows)) for verdict in VERDICTS]
    return (name, len(rows), *shares, round(median(sizes)) if sizes else None)


_COLUMNS = ("", "questions", *VERDICTS, "median characters")


def _by_half(rows: dict[str, list[Row]]) -> Table:
    told = [_row(half, some) for half, some in rows.items()]
    for half, names in HALVES.items():
        for name in names if half in rows else ():
            some = [row for row in rows[half] if row[0].project == name]
            told += [_row(name, some)]
    return Table("By half and by project", _COLUMNS, tuple(told))


def _by_kind(rows: dict[str, list[Row]]) -> Table:
    every = [row for some in rows.values() for row in some]
    kinds = [(ask, [row for row in every if row[0].ask == ask]) for ask in SHARES]
    return Table("By kind of question", _COLUMNS, tuple(_row(ask, some) for ask, some in kinds))
