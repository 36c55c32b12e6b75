"""Memory servers over MCP: how each is started, written to and asked, and what it found."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.endpoint import DIMENSION, MODEL, Endpoint
from benchmarks.peers.installing import Installed, Package

# What a server is given of this process's environment: nothing that would let two of them meet.
_KEPT = ("PATH", "LANG", "LC_ALL", "SSL_CERT_FILE", "TZ")
# One thread for each: two cores are shared by all that run.
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}
Settings = Mapping[str, str]
Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Note:
    id: str
    title: str
    body: str

    @property
    def whole(self) -> str:
        return f"{self.title}\n{self.body}"


@dataclass(frozen=True, slots=True)
class Search:
    """One way to ask a server. `names` finds what it calls its hits in an answer, best first."""

    name: str
    tool: str
    arguments: Callable[[str], Arguments]
    names: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class MemoryServer:
    """`named` finds what a server calls a note in its answer to the writing; None: what it was
    told. `short` is the form of such a name that all of its answers have in common. `model` says
    whose vectors it searches by."""

    name: str
    licence: str
    model: str
    command: Callable[[Installed | None], Sequence[str]]
    writes: str
    written: Callable[[Note], Arguments]
    named: re.Pattern[str] | None
    searches: tuple[Search, ...]
    settings: Callable[[Path, Endpoint], Settings]
    package: Package | None = None
    short: Callable[[str], str] = str

    def environment(self, home: Path, endpoint: Endpoint) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        return kept | {"HOME": str(home)} | _ONE_THREAD | dict(self.settings(home, endpoint))


def _ours(home: Path, _endpoint: Endpoint, surfaces: str = "memory,notes") -> Settings:
    return {
        "COMMONPLACE_HOME": str(home / "commonplace"),
        "COMMONPLACE_SURFACES": surfaces,
        "COMMONPLACE_LOG_LEVEL": "error",
    }


OURS = MemoryServer(
    name="commonplace",
    licence="Apache-2.0",
    model="its own",
    command=lambda _: (sys.executable, "-m", "commonplace", "mcp"),
    writes="store_knowledge",
    written=lambda note: {"title": note.title, "body": note.body},
    named=re.compile(r'"id":\s*"([^"]+)"'),
    searches=(
        Search(
            "recall",
            "recall",
            lambda question: {"question": question, "limit": 10},
            re.compile(r"\bnote:([\w-]+)"),
        ),
        Search(
            "search_knowledge",
            "search_knowledge",
            lambda question: {"query": question, "limit": 10},
            re.compile(r'"id":\s*"([^"]+)"'),
        ),
    ),
    settings=_ours,
    short=lambda name: name.replace("-", "")[:10],
)

OFFICIAL = MemoryServer(
    name="server-memory",
    licence="MIT",
    model="none",
    package=Package(("@modelcontextprotocol/server-memory@2026.8.31",), npm=True),
    command=lambda env: (_of(env).program("mcp-server-memory"),),
    writes="create_entities",
    written=lambda note: {
        "entities": [
            {"name": note.id, "entityType": "turn", "observations": [note.title, note.body]}
        ]
    },
    named=None,
    searches=(
        Search(
            "search_nodes",
            "search_nodes",
            lambda question: {"query": question},
            re.compile(r'"name":\s*"([^"]+)"'),
        ),
    ),
    settings=lambda home, _: {"MEMORY_FILE_PATH": str(home / "memory.jsonl")},
)

_HASH = re.compile(r"hash:?\s*`?([0-9a-f]{8,64})", re.IGNORECASE)


def _memory_search(mode: str) -> Search:
    def arguments(question: str) -> Arguments:
        return {"query": question, "mode": mode, "limit": 10}

    return Search(f"memory_search, {mode}", "memory_search", arguments, _HASH)


MCP_MEMORY_SERVICE = MemoryServer(
    name="mcp-memory-service",
    licence="Apache-2.0",
    model="ours",
    package=Package(("mcp-memory-service==12.2.0",), other_python=True),
    command=lambda env: (_of(env).program("memory"), "server"),
    writes="memory_store",
    written=lambda note: {"content": note.whole, "conversation_id": "talk"},
    named=_HASH,
    searches=(_memory_search("hybrid"), _memory_search("semantic")),
    settings=lambda home, endpoint: {
        "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
        "MCP_MEMORY_SQLITE_PATH": str(home / "memory.db"),
        "MCP_MEMORY_BASE_DIR": str(home),
        "MCP_EXTERNAL_EMBEDDING_URL": f"{endpoint.base}/embeddings",
        "MCP_EXTERNAL_EMBEDDING_MODEL": MODEL,
    },
)

_DRAWER = re.compile(r'"drawer_id":\s*"([^"]+)"')

MEMPALACE = MemoryServer(
    name="mempalace",
    licence="MIT",
    model="ours",
    package=Package(("mempalace==3.11.0",)),
    command=lambda env: (_of(env).program("mempalace-mcp"),),
    writes="mempalace_add_drawer",
    written=lambda note: {"wing": "talk", "room": "turns", "content": note.whole},
    named=_DRAWER,
    searches=(
        Search(
            "mempalace_search",
            "mempalace_search",
            lambda question: {"query": question[:250], "limit": 10},
            _DRAWER,
        ),
    ),
    settings=lambda home, endpoint: {
        "MEMPALACE_PALACE_PATH": str(home / "palace"),
        "MEMPALACE_CONFIG_DIR": str(home / "config"),
        "MEMPALACE_EMBEDDING_MODEL": "openai-compat",
        "MEMPALACE_EMBEDDING_API_URL": endpoint.base.removesuffix("/v1"),
        "MEMPALACE_EMBEDDING_API_MODEL": MODEL,
    },
)


def _search_notes(kind: str) -> Search:
    def arguments(question: str) -> Arguments:
        asked = {"query": question, "search_type": kind, "project": "main"}
        return asked | {"page_size": 10, "output_format": "json"}

    return Search(
        f"search_notes, {kind}", "search_notes", arguments, re.compile(r'"permalink":\s*"([^"]+)"')
    )


BASIC_MEMORY = MemoryServer(
    name="basic-memory",
    licence="AGPL-3.0",
    model="ours",
    package=Package(("basic-memory==0.23.0",), other_python=True),
    command=lambda env: (_of(env).program("basic-memory"), "mcp"),
    writes="write_note",
    written=lambda note: {
        "title": f"{note.title} {note.id}",
        "content": note.body,
        "directory": "talk",
        "project": "main",
    },
    named=re.compile(r"permalink:\s*(\S+)"),
    searches=(_search_notes("text"), _search_notes("hybrid")),
    settings=lambda home, endpoint: {
        "BASIC_MEMORY_HOME": str(home / "notes"),
        "BASIC_MEMORY_CONFIG_DIR": str(home / "config"),
        "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "true",
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_PROVIDER": "openai",
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_MODEL": MODEL,
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_API_BASE": endpoint.base,
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_API_KEY": "none",
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": endpoint.base,
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_DIMENSIONS": str(DIMENSION),
        "BASIC_MEMORY_AUTO_UPDATE": "false",
    },
)

VESMA = MemoryServer(
    name="vesma",
    licence="Apache-2.0",
    model="its own",
    package=Package(("vesma==6.5.0",)),
    command=lambda env: (_of(env).program("vesma"), "mcp-server"),
    writes="vesma_add",
    written=lambda note: {
        "title": note.title,
        "content": note.body,
        "tags": ["project:talk", "agent:bench", "vesma:learning"],
    },
    named=re.compile(r'"(?:id|memory_id)":\s*"([^"]+)"'),
    searches=(
        Search(
            "vesma_search",
            "vesma_search",
            lambda question: {"query": question, "limit": 10, "include_raw": True},
            re.compile(r'"(?:id|memory_id)":\s*"([^"]+)"'),
        ),
    ),
    settings=lambda home, _: {"VESMA_HOME": str(home / "vesma"), "VESMA_ORT_THREADS": "1"},
)

SERVERS = {
    one.name: one for one in (OURS, MCP_MEMORY_SERVICE, MEMPALACE, BASIC_MEMORY, VESMA, OFFICIAL)
}


def _of(env: Installed | None) -> Installed:
    assert env is not None, "it has a package"
    return env


def hits_of(server: MemoryServer, search: Search, answer: str) -> list[str]:
    """What was found by the names that the server has for it, each once, best first."""
    return list(dict.fromkeys(map(server.short, search.names.findall(_plain(answer)))))


def _plain(answer: str) -> str:
    """JSON within JSON has its quotes marked; whoever looks for names looks at it without."""
    return answer.replace('\\"', '"')


def name_of(server: MemoryServer, note: Note, answer: str) -> str | None:
    """What the server calls a note that it was given; None where it says nothing of the kind."""
    if server.named is None:
        return note.id
    found = server.named.search(_plain(answer))
    return server.short(found[1]) if found else None


def listed_characters(result: Mapping[str, Any]) -> int:
    return len(json.dumps(result["tools"], ensure_ascii=False))
