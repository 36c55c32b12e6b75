"""`map` and `graph`: questions about symbols, and indexes to and from other tools."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import run_here

FILES = {
    "src/config.ts": "export function parseConfig(text: string) {\n  return text;\n}\n",
    "src/main.ts": (
        "import { parseConfig } from './config';\n\n"
        "export function start() {\n  return parseConfig('a');\n}\n"
    ),
    "src/broken.ts": "export function half( {",
}


def ingested(home: dict[str, str], root: Path) -> None:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    run_here(home, "project", "add", "shop", "--json")
    pushed = run_here(home, "push", str(root), "--project", "shop", "--json")
    assert pushed.code == 0, pushed
    assert run_here(home, "ingest", "--project", "shop", "--json").code == 0


def test_the_graph_is_asked_and_exchanged(home: dict[str, str], tmp_path: Path) -> None:
    ingested(home, tmp_path / "shop")
    found = run_here(home, "map", "callers of parseConfig", "--json").document
    assert (found["relation"], found["total"], found["complete"]) == ("callers", 1, True)
    (definition,), (caller,) = found["definitions"], found["places"]
    assert (definition["symbol"], definition["uses"]) == ("parseConfig", 2)
    assert (caller["symbol"], caller["use"], caller["confidence"]) == ("start", "call", 0.99)
    shown = run_here(home, "map", "callers of parseConfig").stdout
    assert "src/main.ts:4 start (call 0.99) |" in shown
    prose = run_here(home, "map", "where do settings come from").stdout
    assert "Not understood as a question about code; its forms are definition of X," in prose
    unknown = run_here(home, "map", "impact of parseConfgi")
    assert "No symbol or file is called parseConfgi. Nearest: parseConfig." in unknown.stderr
    outline = run_here(home, "map", "outline of main.ts").stdout
    assert "start function" in outline

    problem = "src/broken.ts: read in part: syntax errors in 1 of 1 lines (100 %), from line 1 on"
    assert run_here(home, "graph", "problems").stdout == f"{problem}\n"
    assert problem in run_here(home, "ingest").stdout

    index = tmp_path / "index.scip"
    assert run_here(home, "graph", "export", str(index), "--json").document["bytes"] > 100
    taken = run_here(home, "graph", "import", str(index), "--json").document
    assert taken == {"files": 2, "other_versions": 1, "elsewhere": 0}
    again = run_here(home, "map", "callers of parseConfig", "--json").document
    assert again["places"][0]["confidence"] == 1, "a compiler is sure"


def test_what_is_no_index_or_names_no_source_is_refused(
    home: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "index.scip"
    file.write_bytes(b"\xff" * 20)
    outcome = run_here(home, "graph", "import", str(file), "--json")
    assert outcome.document["error"]["code"] == "validation.invalid_argument"
    ingested(home, tmp_path / "shop")
    outcome = run_here(home, "graph", "import", str(file), "--json")
    assert "no SCIP index" in outcome.document["error"]["message"]
