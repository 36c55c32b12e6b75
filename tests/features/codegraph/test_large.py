"""Large folders: what linking keeps at hand is bounded, and how far it has come is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.keeping import linker
from commonplace.codegraph.keeping.memory import FactsMemory, RememberedFacts
from commonplace.codegraph.resolution.barrels import Barrels
from commonplace.codegraph.resolution.packages import Packages
from commonplace.codegraph.service import linking
from commonplace.model.call import Call
from commonplace.model.graph import CodeFile
from commonplace.storage.port import Store
from tests.features.codegraph.folders import Folder, graph_on, told
from tests.generate import ALICE

PROJECT = {
    "go/go.mod": "module example.com/go\n",
    "go/shape.go": "package shape\ntype Shape struct{}\n",
    "go/area.go": "package shape\nfunc (s Shape) Area() int { return 1 }\n",
    "go/use.go": "package shape\nfunc Use(s Shape) int { return s.Area() }\n",
    "java/Base.java": "package a; class Base { Base next() { return this; } }",
    "java/User.java": "package a; class User { void use(Base base) { base.next().next(); } }",
    "kt/Text.kt": "package k\nfun String.shout() = uppercase()\nclass Sign { fun put() = 1 }\n",
    "kt/Use.kt": 'package k\nfun use() = "a".shout()\nfun sign() = Sign().put()\n',
    "lib.ts": "export class Client { send(text: string) { return text; } }",
    "all.ts": "export * from './lib';",
    "user.ts": "import { Client } from './all'; new Client().send('a');",
}
TINY = "export function only() { return 1; }"


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_what_was_let_go_of_is_found_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Folder(store, graph_on(store))
    whole.write(PROJECT)
    for limit in ("_MOST_FACTS", "_MOST_SYMBOLS", "_MOST_NAMES"):
        monkeypatch.setattr(linker, limit, 0)
    monkeypatch.setattr(linking, "_BATCH", 1)
    sparing = Folder(store, graph_on(store), actor=replace(ALICE, org="sparing"))
    sparing.write(PROJECT)
    assert told(sparing) == told(whole)


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_reading_symbols_is_told_before_linking(store: Store) -> None:
    heard: list[tuple[int, int, str]] = []
    folder = Folder(store, graph_on(store))
    folder.write(
        {f"m{number}.ts": TINY for number in range(40)},
        Call(progress=lambda *each: heard.append(each)),
    )
    assert [each for each in heard if each[2] == "reading symbols"] == [
        (16, 40, "reading symbols"),
        (32, 40, "reading symbols"),
        (40, 40, "reading symbols"),
    ]
    assert heard[3:] == [(40, 80, "linking code")]


def test_many_small_files_are_not_all_remembered() -> None:
    memory = FactsMemory(100)
    files = {f"1/{n}.ts": CodeFile(n, 1, f"{n}.ts", "typescript", "", 1) for n in range(20)}
    facts = RememberedFacts(files, memory, lambda _file, path: extract(path, TINY.encode()))
    for path in files:
        assert facts[path].definitions
    kept = [path for path, file in files.items() if memory.get(file, path)]
    assert 0 < len(kept) <= 100 // 14


def test_names_of_packages_and_barrels_are_let_go_of() -> None:
    loaded: list[str] = []

    class Files(dict):  # type: ignore[type-arg]
        def __missing__(self, path: str) -> object:
            loaded.append(path)
            return extract(path, PROJECT[path].encode())

    packages = Packages(Files(), {"a": ["java/Base.java"]})
    barrels = Barrels(Files(), lambda _path, _specifier: "lib.ts")
    for _ in range(2):
        assert packages.declared("a", "Base")
        assert barrels.of("all.ts").may_have("Client")
    assert sorted(loaded) == ["all.ts", "java/Base.java", "lib.ts"]
    packages.forget_beyond(1)
    barrels.forget_beyond(10)
    assert packages.declared("a", "Base")
    assert barrels.of("all.ts").may_have("Client")
    assert len(loaded) == 3
    packages.forget_beyond(0)
    barrels.forget_beyond(0)
    assert packages.declared("a", "Base")
    assert barrels.of("all.ts").may_have("Client")
    assert len(loaded) == 6
