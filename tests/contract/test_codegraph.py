"""The code graph on both stores: kept per file, found by name and by target, and nobody else's."""

from __future__ import annotations

from dataclasses import replace

from commonplace.model.actor import Actor
from commonplace.model.graph import CodeFile, Compiled, Edge, FileProblem, Symbol, Tally, symbol_key
from commonplace.model.workspace import FileState, KnowledgeType, ResourceDraft, ResourceKind
from commonplace.storage.port import Store
from tests.generate import ALICE, EVE


def folder(store: Store, actor: Actor = ALICE, *paths: str) -> tuple[int, list[int]]:
    """A resource with files; the keys of both."""
    with store.write(actor) as tx:
        draft = ResourceDraft("res", ResourceKind.FOLDER, KnowledgeType.CODE, "file:///a", "a")
        resource = tx.resources.insert(draft)
        keys = [
            tx.files.put(resource.key, FileState(0, path, f"hash of {path}", 0, 1, 0))
            for path in paths
        ]
    return resource.key, keys


def code_file(key: int, resource: int, path: str = "a.ts") -> CodeFile:
    return CodeFile(key, resource, path, "ts", f"hash of {path}", 1, "pack", "face", "partly")


def symbol(document: int, resource: int, slot: int, name: str) -> Symbol:
    return Symbol(
        symbol_key(document, slot), document, resource, slot, name, f"Outer.{name}", "method",
        True, 3, 4, 2, 5, f"{name}()", "What it does.",
    )  # fmt: skip


def edge(document: int, resource: int, target: int | None, name: str = "used") -> Edge:
    return Edge(document, resource, None, name, "call", target, 0, "import", 0.99, (3, 7))


def test_a_file_is_read_back_as_it_was_put(store: Store) -> None:
    resource, (key,) = folder(store, ALICE, "a.ts")
    file = code_file(key, resource)
    tally = Tally({"method": 2}, {"call": 3}, 1, {7: 1})
    with store.write(ALICE) as tx:
        tx.code_files.put(file, ("./b", "c"), b"facts")
    with store.read(ALICE) as tx:
        assert tx.code_files.of_resources([resource]) == [file]
        assert tx.code_files.facts([key]) == {key: b"facts"}
        assert tx.code_files.specifiers([resource]) == {key: ["./b", "c"]}
        assert tx.code_files.specifiers([resource + 1]) == {}
        assert tx.code_files.lookups([key]) == {key: None}
        assert tx.code_files.problems([resource]) == [FileProblem(resource, key, "a.ts", "partly")]
        assert tx.code_files.problems([resource + 1]) == []
    with store.read(EVE) as tx:
        assert tx.code_files.problems([resource]) == []
        assert tx.code_files.specifiers([resource]) == tx.code_files.lookups([key]) == {}
    settled = replace(file, reads=(1, 2), packages=("p",), linked=True)
    with store.write(ALICE) as tx:
        assert tx.code_files.tallies([resource]) == {}
        tx.code_files.settle(settled, "c2VuZA", tally)
        assert tx.code_files.tallies([resource]) == {key: tally}
        assert tx.code_files.lookups([key, key + 1]) == {key: "c2VuZA"}
        assert tx.code_files.tallies([resource + 1]) == {}
        assert tx.code_files.of_resources([resource]) == [settled]
        assert tx.code_files.waiting([resource]) == []
        tx.code_files.unlink([key])
        assert tx.code_files.of_resources([resource]) == [replace(settled, linked=False)]
        assert tx.code_files.waiting([resource]) == [replace(settled, linked=False)]
        assert tx.code_files.waiting([resource + 1]) == []


def test_putting_a_file_again_lets_it_wait(store: Store) -> None:
    resource, (key,) = folder(store, ALICE, "a.ts")
    with store.write(ALICE) as tx:
        tx.code_files.put(code_file(key, resource), (), b"old")
        tx.code_files.settle(code_file(key, resource), None, Tally())
        tx.code_files.put(replace(code_file(key, resource), content_hash="new"), (), b"new")
        (file,) = tx.code_files.of_resources([resource])
        assert (file.content_hash, file.linked) == ("new", False)
        assert tx.code_files.facts([key]) == {key: b"new"}


def test_symbols_are_found_by_name_in_any_case(store: Store) -> None:
    resource, (key,) = folder(store, ALICE, "a.ts")
    one, other = (symbol(key, resource, slot, name) for slot, name in enumerate(("Load", "save")))
    with store.write(ALICE) as tx:
        tx.code_files.put(code_file(key, resource), (), b"")
        tx.graph.put_symbols([one, other])
        assert tx.graph.named(["LOAD"], [resource], 9) == [one]
        assert tx.graph.named(["load", "save"], [resource], 1) == [one]
        assert tx.graph.named(["load"], [resource + 1], 9) == []
        assert tx.graph.symbols([other.key]) == {other.key: other}
        moved = replace(one, line=9, signature="Load(again)")
        tx.graph.put_symbols([moved])
        assert tx.graph.symbols_of([key]) == [moved, other]


def test_edges_are_replaced_with_their_file(store: Store) -> None:
    resource, (key, user) = folder(store, ALICE, "a.ts", "b.ts")
    target = symbol(key, resource, 0, "load")
    known, unknown = edge(user, resource, target.key), edge(user, resource, None, "missing")
    with store.write(ALICE) as tx:
        for each, path in ((key, "a.ts"), (user, "b.ts")):
            tx.code_files.put(code_file(each, resource, path), (), b"")
        tx.graph.put_symbols([target])
        tx.graph.put_edges(user, [known, unknown])
        assert tx.graph.edges_to([target.key], [resource], 9) == [known]
        assert tx.graph.edges_to([target.key], [resource + 1], 9) == []
        assert tx.graph.edges_from([user]) == [known, unknown]
        assert tx.graph.users_of_names(["missing", "nobody"], [resource]) == [user]
        assert tx.graph.count_unlinked("missing", [resource]) == len(unknown.lines) > 0
        assert tx.graph.count_unlinked("missing", [resource + 1]) == 0
        assert tx.graph.count_unlinked(known.name, [resource]) == 0
        tx.graph.put_edges(user, [unknown])
        assert tx.graph.edges_from([user]) == [unknown]


def test_a_symbol_that_goes_leaves_its_uses_unresolved(store: Store) -> None:
    resource, (key,) = folder(store, ALICE, "a.ts")
    target = symbol(key, resource, 0, "load")
    with store.write(ALICE) as tx:
        tx.code_files.put(code_file(key, resource), (), b"")
        tx.graph.put_symbols([target])
        tx.graph.put_edges(key, [edge(key, resource, target.key)])
        tx.graph.remove_symbols([target.key])
        assert tx.graph.edges_from([key]) == [edge(key, resource, None)]


def test_everything_goes_with_the_file(store: Store) -> None:
    resource, (key,) = folder(store, ALICE, "a.ts")
    with store.write(ALICE) as tx:
        tx.code_files.put(code_file(key, resource), (), b"")
        tx.graph.put_symbols([symbol(key, resource, 0, "load")])
        tx.graph.put_edges(key, [edge(key, resource, None)])
        assert tx.code_files.coverage([resource]) == (True, True)
        tx.files.remove([key])
        assert tx.code_files.of_resources([resource]) == []
        assert tx.code_files.coverage([resource]) == (False, False)
        assert tx.graph.symbols_of([key]) == []
        assert tx.graph.edges_from([key]) == []


def test_a_compilers_word_counts_for_the_content_it_has_seen(store: Store) -> None:
    _, (key,) = folder(store, ALICE, "a.ts")
    seen = Compiled(key, "hash of a.ts", b"said")
    with store.write(ALICE) as tx:
        tx.code_files.put_compiled([seen])
        assert tx.code_files.compiled([key]) == [seen]
        tx.code_files.put_compiled([replace(seen, content_hash="another")])
        assert tx.code_files.compiled([key]) == []


def test_other_orgs_see_and_change_nothing(store: Store) -> None:
    resource, (key,) = folder(store, ALICE, "a.ts")
    target = symbol(key, resource, 0, "load")
    with store.write(ALICE) as tx:
        tx.code_files.put(code_file(key, resource), (), b"facts")
        tx.graph.put_symbols([target])
        tx.graph.put_edges(key, [edge(key, resource, target.key)])
        tx.code_files.put_compiled([Compiled(key, "hash of a.ts", b"said")])
    with store.write(EVE) as tx:
        assert tx.code_files.of_resources([resource]) == []
        assert tx.code_files.facts([key]) == {}
        assert tx.code_files.coverage([resource]) == (False, False)
        assert tx.code_files.compiled([key]) == []
        assert tx.graph.named(["load"], [resource], 9) == []
        assert tx.graph.symbols([target.key]) == {}
        assert tx.graph.edges_to([target.key], [resource], 9) == []
        assert tx.graph.users_of_names(["used"], [resource]) == []
        tx.code_files.remove([key])
        tx.graph.remove_symbols([target.key])
    with store.read(ALICE) as tx:
        assert tx.graph.symbols([target.key]) == {target.key: target}
        assert tx.graph.edges_to([target.key], [resource], 9)


def test_what_nothing_uses_and_which_files_import_each_other(store: Store) -> None:
    resource, (one, other) = folder(store, ALICE, "a.ts", "b.ts")
    used, unused, unsure = (
        symbol(one, resource, slot, name) for slot, name in enumerate(("used", "unused", "unsure"))
    )
    imports = replace(edge(other, resource, used.key), use="import")
    itself = replace(edge(one, resource, unused.key, "unused"), source_key=unused.key)
    nowhere = edge(other, resource, None, "unsure")
    with store.write(ALICE) as tx:
        for key, path in ((one, "a.ts"), (other, "b.ts")):
            tx.code_files.put(code_file(key, resource, path), (), b"")
        tx.graph.put_symbols([used, unused, unsure])
        tx.graph.put_edges(one, [itself])
        tx.graph.put_edges(other, [imports, nowhere])
    with store.read(ALICE) as tx:
        assert tx.graph.unused([resource], 10) == [unused]
        assert tx.graph.unused([resource], 0) == []
        assert tx.graph.imports([resource], 10) == [(other, one, 3)]
        assert tx.graph.unlinked_edges("unsure", [resource], 10) == [nowhere]
        assert tx.graph.unlinked_edges("used", [resource], 10) == []
    with store.read(EVE) as tx:
        assert (tx.graph.unused([resource], 10), tx.graph.imports([resource], 10)) == ([], [])
        assert tx.graph.unlinked_edges("unsure", [resource], 10) == []
