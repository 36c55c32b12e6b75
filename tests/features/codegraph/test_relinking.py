"""After an edit no more files are linked again than those whose links may be others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from commonplace.model.call import Call
from commonplace.model.graph import Tally
from commonplace.storage.port import Store
from tests.features.codegraph.edits import edited_projects
from tests.features.codegraph.folders import Folder, graph_on, told, written_and_rebuilt
from tests.generate import ALICE

PROJECT = {
    "lib.ts": """
        export class Client { send(text: string) { return text; } }
        export function connect() { return new Client(); }
        export function close(client: Client) { return client; }
    """,
    "all.ts": "export * from './lib';",
    "sender.ts": "import { connect } from './all'; connect().send('x');",
    "closer.ts": "import { close } from './lib'; close(1);",
    "holder.ts": "import { Client } from './lib'; let held: Client;",
    "seeker.ts": "import { found } from './all'; found();",
}
JAVA = {
    "a/Base.java": "package a; class Base { Base next() { return this; } }",
    "a/User.java": "package a; class User { void use(Base base) { base.next().next(); } }",
    "a/Other.java": "package a; class Other { Wanted wanted; }",
}


def linking_told_to(seen: list[int]) -> Call:
    """Takes down how many files are linked."""

    def tell(done: int, total: int, message: str) -> None:
        if message == "linking code":
            seen.append(total - done)

    return Call(progress=tell)


def linked_by(store: Store, files: dict[str, str], path: str, old: str, new: str) -> int:
    """How many files an edit links, the edited one included."""
    seen = [0]
    call = linking_told_to(seen)
    folder = Folder(store, graph_on(store))
    folder.write(files)
    assert old in files[path]
    after = files | {path: files[path].replace(old, new, 1)}
    folder.write(after, call)
    fresh = Folder(store, graph_on(store), actor=replace(ALICE, org="fresh"))
    fresh.write(after)
    assert told(folder) == told(fresh)
    return max(seen)


@pytest.mark.parametrize("dialect", ["sqlite"])
@pytest.mark.parametrize(
    ("old", "new", "files"),
    [
        ("export class", "export function added() {}\nexport class", 1),
        ("return text;", "const kept = text; return kept;", 2),  # what send gives to the sender
        ("export function close", "export function found() {}\nexport function close", 2),
        ("return client;", "return 1;", 2),  # the closer
        ("new Client()", "1", 2),  # the sender
        ("send(text", "post(text", 2),
        ("class Client", "class Client extends Object", 3),  # the sender and the holder
        ("export class", "export * from './more';\nexport class", 5),
    ],
)
def test_an_edit_costs_those_who_asked_for_what_it_alters(
    store: Store, old: str, new: str, files: int
) -> None:
    assert linked_by(store, PROJECT, "lib.ts", old, new) == files


@pytest.mark.parametrize("dialect", ["sqlite"])
@pytest.mark.parametrize(
    ("old", "new", "files"),
    [
        ("class Base {", "class Base { Base last() { return this; }", 1),
        ("class Base {", "class Wanted {} class Base {", 2),
        ("class Base {", "class Unwanted {} class Base {", 1),
        ("Base next()", "private Base next()", 2),
        ("Base next()", "@Test Base next()", 2),
    ],
)
def test_a_package_is_seen_by_the_names_it_was_asked_for(
    store: Store, old: str, new: str, files: int
) -> None:
    assert linked_by(store, JAVA, "a/Base.java", old, new) == files


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_new_file_of_a_package_costs_those_who_missed_its_names(store: Store) -> None:
    seen: list[int] = []
    call = linking_told_to(seen)
    folder = Folder(store, graph_on(store))
    folder.write(JAVA)
    folder.write(JAVA | {"a/Wanted.java": "package a; class Wanted {}"}, call)
    assert seen == [2]
    assert any("Wanted" in line and "-> app/a/Wanted.java" in line for line in told(folder))


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_type_is_new_though_methods_of_its_name_were_there(store: Store) -> None:
    user = {"user.go": "package p\ntype Ant struct { value Cat }"}
    method = "func (p *Cat) move() {}"
    versions = [
        user | {"cat.go": f"package p\n{method}"},
        user | {"cat.go": f"package p\ntype Cat struct {{}}\n{method}"},
    ]
    folder, rebuilt = written_and_rebuilt(store, versions)
    assert told(folder) == told(rebuilt)


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_type_is_new_though_an_import_of_its_name_was_there(store: Store) -> None:
    user = {"One.java": "package p;\nimport p.Ant;\nclass Ant { Ant value; }"}
    versions = [
        user | {"Two.java": "package p;\nimport p.Ant;\ninterface Bee extends Ant {}"},
        user | {"Two.java": "package p;\nimport p.Ant;\ninterface Ant extends Ant {}"},
    ]
    folder, rebuilt = written_and_rebuilt(store, versions)
    assert told(folder) == told(rebuilt)


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_where_it_is_not_known_what_was_asked_for_any_edit_counts(store: Store) -> None:
    seen: list[int] = []
    call = linking_told_to(seen)
    folder = Folder(store, graph_on(store))
    folder.write(PROJECT)
    with store.write(folder.actor) as tx:
        for file in tx.code_files.of_resources([folder.resource.key]):
            tx.code_files.settle(file, None, Tally())
    folder.write(PROJECT | {"lib.ts": PROJECT["lib.ts"] + "export function added() {}"}, call)
    folder.write(PROJECT, call)
    assert seen == [5, 1]


@pytest.mark.parametrize("dialect", ["sqlite"])
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(versions=edited_projects())
def test_any_edits_end_in_what_a_rebuild_would_be(
    versions: list[dict[str, str]], store: Store
) -> None:
    folder, rebuilt = written_and_rebuilt(store, versions)
    assert told(folder) == told(rebuilt)
