"""A graph that was changed file by file equals one that was made at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.codegraph.service.graph import CodeGraph
from commonplace.reading.pool import PooledProcesses
from commonplace.storage.port import Store
from tests.features.codegraph.folders import Folder, Fragile, graph_on, told, written_and_rebuilt
from tests.stores import Database

LIB = """
    export class Client {
      send(text: string) { return text; }
    }
    export function connect() { return new Client(); }
"""
USER = """
    import { connect } from './lib';
    export function greet() {
      const client = connect();
      return client.send('hello');
    }
"""


def edges(folder: Folder) -> list[str]:
    lines = told(folder)
    return [line for line in lines if " -> " in line]


def leading_to(folder: Folder, name: str) -> list[str]:
    return [line for line in edges(folder) if f" {name} (" in line.partition(" -> ")[2]]


def test_callers_of_a_renamed_function_wait_until_it_comes_back(store: Store) -> None:
    folder = Folder(store, graph_on(store))
    folder.write({"src/lib.ts": LIB, "src/user.ts": USER})
    whole = told(folder)
    assert any("greet" in line and "call" in line for line in leading_to(folder, "connect"))
    assert any("call" in line for line in leading_to(folder, "Client.send"))
    folder.write({"src/lib.ts": LIB.replace("connect", "open"), "src/user.ts": USER})
    assert not leading_to(folder, "connect")
    assert not leading_to(folder, "Client.send")
    assert any("call connect" in line and "-> ?" in line for line in edges(folder))
    folder.write({"src/lib.ts": LIB, "src/user.ts": USER})
    assert told(folder) == whole


def test_a_file_that_comes_later_is_found_by_those_that_name_it(store: Store) -> None:
    folder = Folder(store, graph_on(store))
    folder.write({"src/user.ts": USER})
    assert not leading_to(folder, "connect")
    folder.write({"src/user.ts": USER, "src/lib.ts": LIB})
    assert leading_to(folder, "connect")
    folder.write({"src/user.ts": USER})
    assert not leading_to(folder, "connect")


def test_a_reference_leads_into_another_folder_of_the_project(store: Store) -> None:
    graph = graph_on(store)
    app, library = Folder(store, graph, "app", "p1"), Folder(store, graph, "library", "p1")
    stranger = Folder(store, graph, "stranger", "p2")
    manifest = '{"name": "@acme/lib", "main": "src/lib.ts"}'
    user = USER.replace("./lib", "@acme/lib")
    app.write({"src/user.ts": user})
    stranger.write({"src/user.ts": user})
    library.write({"package.json": manifest, "src/lib.ts": LIB})
    keys = [app.resource.key, library.resource.key, stranger.resource.key]
    lines = [
        line for line in told(app, library, stranger) if "connect (" in line.partition(" -> ")[2]
    ]
    assert [line for line in lines if line.startswith("app/")]
    assert not [line for line in lines if line.startswith("stranger/")]
    counts = graph.answers.counts(app.actor, keys)
    assert counts.across_resources == 3  # the import, the call, and the method of what it gives
    assert graph.answers.counts(app.actor, keys[:1]).across_resources == 0


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_file_that_breaks_its_grammar_says_so_and_the_others_are_read(store: Store) -> None:
    graph = CodeGraph(store, PooledProcesses([Fragile(), Fragile()]))
    folder = Folder(store, graph)
    folder.write({"src/lib.ts": LIB, "src/bad.ts": "// break the grammar", "src/user.ts": USER})
    assert leading_to(folder, "connect")
    problem = "The file crashed the program that reads it."
    (told_of,) = graph.answers.problems(folder.actor, folder.resource)
    assert (told_of.path, told_of.reason) == ("src/bad.ts", problem)


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_what_a_run_left_undone_is_done_by_the_next(store: Store) -> None:
    folder = Folder(store, graph_on(store))
    folder.write({"src/lib.ts": LIB, "src/user.ts": USER})
    whole = told(folder)
    with store.write(folder.actor) as tx:
        tx.code_files.unlink([folder.key("src/user.ts")])
        tx.graph.put_edges(folder.key("src/user.ts"), [])
        tx.code_files.remove([folder.key("src/lib.ts")])
    folder.write({"src/lib.ts": LIB, "src/user.ts": USER})
    assert told(folder) == whole


def test_two_processes_take_turns(database: Database) -> None:
    """What both link at once is linked as if one had come after the other."""
    stores = [database.open(), database.open()]
    manifest = '{"name": "@acme/lib", "main": "src/lib.ts"}'
    library = Folder(stores[0], graph_on(stores[0]), "library")
    app = Folder(stores[1], graph_on(stores[1]), "app")
    user = USER.replace("./lib", "@acme/lib")
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(library.write, {"package.json": manifest, "src/lib.ts": LIB})
        other = pool.submit(app.write, {"src/user.ts": user})
        one.result()
        other.result()
    lines = [line for line in told(app, library) if " -> " in line and line.startswith("app/")]
    assert any("connect (function)" in line.partition(" -> ")[2] for line in lines)


_NAMES = ("alpha", "beta", "gamma")
_PARTS = {
    "ts": (
        "export function {a}() {{ return {b}(); }}",
        "export class {a} {{ {b}() {{ return this.{b}(); }} }}",
        "import {{ {a} }} from './{f}';",
        "export * from './{f}';",
        "export const {a} = new {b}();\n{a}.{c}();",
        "{a}({b});",
    ),
    "d.ts": (
        "declare const {a}: {b};",
        "declare class {a} {{ {b}(): {c}; }}",
        "export {{}};",
    ),
    "py": (
        "def {a}():\n    return {b}()",
        "class {a}:\n    def {b}(self):\n        return self.{c}()",
        "from .{f} import {a}",
        "from . import {f}\n{f}.{a}()",
        "{a} = {b}()\n{a}.{c}()",
    ),
    "java": (
        "package p.{f}; class {a} {{ {b} one; int {b}() {{ return one.{c}(); }} }}",
        "package p; import p.{f}.{b}; class {a} extends {b} {{ int {c}() {{ return {b}(); }} }}",
    ),
    "go": ("func {a}() {{ {b}() }}", "type {a} struct {{}}\nfunc {b}() {{ {c}() }}"),
}


@st.composite
def folders_of_files(draw: st.DrawFn) -> dict[str, str]:
    names = st.sampled_from(_NAMES)
    files: dict[str, str] = {}
    for path in draw(st.sets(st.sampled_from(_PATHS), max_size=5)):
        parts = st.sampled_from(_PARTS[path.partition(".")[2]])
        lines = [
            part.format(a=draw(names), b=draw(names), c=draw(names), f=draw(names))
            for part in draw(st.lists(parts, min_size=1, max_size=4))
        ]
        files[path] = "\n".join(lines)
    return files


_PATHS = tuple(
    f"{folder}{name}.{ending}"
    for folder, endings in (("", ("ts", "d.ts", "py", "java", "go")), ("alpha/", ("ts", "py")))
    for name in (*_NAMES, "index", "__init__")
    for ending in endings
)


@pytest.mark.parametrize("dialect", ["sqlite"])
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(versions=st.lists(folders_of_files(), min_size=2, max_size=4))
def test_any_changes_end_in_what_a_rebuild_would_be(
    versions: list[dict[str, str]], store: Store
) -> None:
    folder, rebuilt = written_and_rebuilt(store, versions)
    assert told(folder) == told(rebuilt)
