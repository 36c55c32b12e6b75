"""What people would pick instead, beside this: the same notes and questions, calls in turns.

python -m benchmarks peers --talk FILE [--notes 1000] [--questions 200] [--servers NAME,...]

FILE is LoCoMo's `locomo10.json`; benchmarks/peers/README.md says where peers are installed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

import numpy as np

from benchmarks.peers.endpoint import Endpoint, endpoint
from benchmarks.peers.installing import installed, size_of
from benchmarks.peers.memories import (
    SERVERS,
    MemoryServer,
    Note,
    Search,
    hits_of,
    listed_characters,
    name_of,
)
from benchmarks.peers.speaking import PeerError, Spoken, spoken
from benchmarks.recall.texts import talks
from benchmarks.report import Cell, Report, Table, now
from commonplace import __version__

_SHOWN = 10
_PROBE = Note("probe", "At the harbour", "The keeper feeds two grey cats before the sun is up.")
_PROBED = "who gives food to felines early in the morning"
_MOST_PROBES = 400
_IDLE_SECONDS = 2.0
_BUSY_SHARE = 0.05
_MOST_WAITED = 600.0
Pair = tuple[str, frozenset[str]]


@dataclass
class Asked:
    """One way of asking one server: the rank of the right note each time, and what it cost."""

    ranks: list[int] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    characters: list[int] = field(default_factory=list)

    def hit(self, most: int) -> float:
        return 100 * fmean(0 < rank <= most for rank in self.ranks)


@dataclass
class Running:
    """A server that runs, and all that was measured of it."""

    server: MemoryServer
    program: Spoken
    home: Path
    greeting: tuple[float, float]
    listing: tuple[int, int, float]
    names: dict[str, str] = field(default_factory=dict)
    wrote: list[float] = field(default_factory=list)
    written_cpu: float = 0.0
    to_meaning: float | None = None
    asked: dict[str, Asked] = field(default_factory=dict)

    def write(self, note: Note) -> None:
        answer = self.program.call(self.server.writes, self.server.written(note))
        self.wrote.append(answer.wall)
        self.written_cpu += answer.lent
        name = name_of(self.server, note, answer.text)
        if name is not None:
            self.names[note.id] = name

    def ask(self, search: Search, question: str, right: frozenset[str]) -> None:
        asked = self.asked.setdefault(search.name, Asked())
        answer = self.program.call(search.tool, search.arguments(question))
        wanted = {self.names[id] for id in right if id in self.names}
        found = hits_of(self.server, search, answer.text)[:_SHOWN]
        asked.ranks.append(next((n for n, one in enumerate(found, 1) if one in wanted), 0))
        asked.wall.append(answer.wall)
        asked.cpu.append(answer.cpu)
        asked.characters.append(len(answer.text))


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks peers", description=__doc__)
    parser.add_argument("--talk", type=Path, required=True)
    parser.add_argument("--notes", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--servers", default=",".join(SERVERS))
    given = parser.parse_args(arguments)
    notes, pairs = judged(given.talk, given.notes, given.questions)
    started, servers = now(), [SERVERS[name] for name in given.servers.split(",")]
    with (
        endpoint() as model,
        tempfile.TemporaryDirectory(prefix="cp-peers-") as folder,
        everybody(servers, Path(folder), model) as (running, absent),
    ):
        write(running, notes)
        for one in running:
            probe(one)
        ask(running, pairs)
        report(running, absent, len(notes), len(pairs)).save(started)


def judged(file: Path, notes: int, questions: int) -> tuple[list[Note], list[Pair]]:
    """The first turns of the first conversations, and the questions that they answer."""
    every = talks(file)
    turns = [turn for talk in every for turn in talk.turns][:notes]
    known = {turn.id for turn in turns}
    pairs = [pair for talk in every for pair in talk.questions if pair[1] <= known]
    return [Note(turn.id, turn.title, turn.body) for turn in turns], pairs[:questions]


@contextmanager
def everybody(
    servers: Sequence[MemoryServer], folder: Path, model: Endpoint
) -> Iterator[tuple[list[Running], dict[str, str]]]:
    """Those that run, all at once, and why the others do not."""
    running: list[Running] = []
    absent: dict[str, str] = {}
    with ExitStack() as stack:
        for server in servers:
            try:
                running.append(_started(server, folder, model, stack))
            except PeerError as error:
                absent[server.name] = str(error)
            print(server.name, absent.get(server.name, "runs"), flush=True)
        yield running, absent


def _started(server: MemoryServer, folder: Path, model: Endpoint, stack: ExitStack) -> Running:
    """Started twice: what a first start prepares is not what every client waits for."""
    environment = installed(server.package) if server.package else None
    home = folder / server.name
    home.mkdir()
    command, settings = server.command(environment), server.environment(home, model)
    with spoken(command, settings, home) as program:
        program.greet()
    beside = (model.pid,) if server.model == "ours" else ()
    began = time.perf_counter()
    program = stack.enter_context(spoken(command, settings, home, beside))
    greeting = program.greet()
    wall = time.perf_counter() - began
    tools = program.ask("tools/list", {})
    listing = (len(tools.result["tools"]), listed_characters(tools.result), tools.cpu)
    return Running(server, program, home, (wall, greeting.cpu), listing)


def write(running: Sequence[Running], notes: Sequence[Note]) -> None:
    """One note after the other, each to everybody; then until nobody works on them any more."""
    before = [one.program.cpu() for one in running]
    for note in notes:
        for one in running:
            one.write(note)
    for one in running:
        _settle(one.program)
    for one, began in zip(running, before, strict=True):
        one.written_cpu += one.program.cpu() - began


def _settle(program: Spoken) -> None:
    deadline, used = time.monotonic() + _MOST_WAITED, program.cpu()
    while time.monotonic() < deadline:
        time.sleep(_IDLE_SECONDS)
        before, used = used, program.cpu()
        if used - before < _BUSY_SHARE * _IDLE_SECONDS:
            return


def probe(one: Running) -> None:
    """How long until a fresh note is found by what it means, in words that it does not have."""
    server = one.server
    if server.model == "none":
        return
    one.write(_PROBE)
    began, search = time.perf_counter(), server.searches[-1]
    for _ in range(_MOST_PROBES):
        answer = one.program.call(search.tool, search.arguments(_PROBED))
        if one.names.get(_PROBE.id) in hits_of(server, search, answer.text):
            one.to_meaning = one.wrote[-1] + time.perf_counter() - began
            return


def ask(running: Sequence[Running], pairs: Sequence[Pair]) -> None:
    for question, right in pairs:
        for one in running:
            for search in one.server.searches:
                one.ask(search, question, right)


def report(
    running: Sequence[Running], absent: dict[str, str], notes: int, questions: int
) -> Report:
    columns = ("search", "hit@1", "hit@5", "hit@10", "CPU ms", "p50 ms", "p95 ms", "characters")
    found = Table(
        f"{questions} questions to {notes} turns of LoCoMo",
        columns,
        tuple(_found(one, name, asked) for one in running for name, asked in one.asked.items()),
        digits=1,
    )
    costs = (
        "server",
        "greeting s",
        "CPU s",
        "tools",
        "tools/list",
        "CPU ms",
        "write p50 ms",
        "CPU ms a note",
        "to meaning s",
        "memory MB",
        "disk MB",
        "kept",
    )
    cost = Table("What it costs", costs, tuple(map(_cost, running)), digits=2)
    versions = Table("Who was asked", ("server", "version", "licence", "model"), _who(running))
    goals = Table("Goals", ("goal", "reached", "met"), tuple(_goals(running)), digits=1)
    missing = tuple(f"{name} is not in the tables: {why}." for name, why in absent.items())
    name = f"peers-{notes}"
    return Report(name, (found, cost, goals, versions), (*missing, *_NOTES))


def _found(one: Running, name: str, asked: Asked) -> tuple[Cell, ...]:
    cpu, wall = 1000 * median(asked.cpu), [1000 * seconds for seconds in asked.wall]
    tail = [float(np.quantile(wall, q)) for q in (0.5, 0.95)]
    hits = (asked.hit(1), asked.hit(5), asked.hit(10))
    return (f"{one.server.name}: {name}", *hits, cpu, *tail, median(asked.characters))


def _cost(one: Running) -> tuple[Cell, ...]:
    tools, characters, cpu = one.listing
    written = 1000 * one.written_cpu / max(1, len(one.wrote) - (one.to_meaning is not None))
    sizes = (one.program.memory() / 1e6, size_of(one.home) / 1e6)
    times = (*one.greeting, tools, characters, 1000 * cpu, 1000 * median(one.wrote), written)
    return (one.server.name, *times, one.to_meaning, *sizes, len(set(one.names.values())))


def _who(running: Sequence[Running]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (
            one.server.name,
            one.server.package.version if one.server.package else __version__,
            one.server.licence,
            one.server.model,
        )
        for one in running
    )


def _goals(running: Sequence[Running]) -> Iterator[tuple[Cell, ...]]:
    hits = {one.server.name: max(a.hit(5) for a in one.asked.values()) for one in running}
    ours = next(one for one in running if one.server.package is None)
    recalled = ours.asked["recall"].hit(5)
    best = max((hit for name, hit in hits.items() if name != ours.server.name), default=0.0)
    yield "recall: hit@5 at least 70", recalled, _yes(recalled >= _GOAL)
    yield f"recall: more than the best peer ({best:.1f})", recalled, _yes(recalled > best)


def _yes(met: bool) -> str:
    return "yes" if met else "no"


_GOAL = 70
_NOTES = (
    (
        "Official shapes over stdio, all servers running at once; each note and each question goes "
        "to one after the other. Times by the clock mean little on a busy machine; processor time "
        "is that of the server and of all that it began."
    ),
    (
        "A model that is `ours` is the bundled one behind an address of OpenAI's form; its "
        "processor time counts as that of the peer that asks, its memory as that of each."
    ),
    (
        "Found is what the text of an answer names, at most ten; `recall` says less where it "
        "thinks that less answers. CPU ms a note is until nothing is left to do in the background."
    ),
    "Whatever a server says of a note that it was given twice, the note is kept once.",
    "LoCoMo's licence (CC BY-NC 4.0) allows to measure with it; nothing of it is shipped.",
)
