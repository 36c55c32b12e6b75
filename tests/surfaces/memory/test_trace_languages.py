"""What `trace` answers where languages differ: who implements what, and what encloses a use."""

from __future__ import annotations

import pytest

from tests.surfaces.memory.home import Home

TRACE = "trace"
POOL = {
    "src/pool.ts": """import { send } from './send';

export class Pool {
  run(task: string) {
    const limit = 1, { name } = this;
    return send(task, { limit, name });
  }
  name = '';
}

export function start(pool: Pool) { return pool.run('now'); }
""",
    "src/send.ts": "export function send(task: string, options: object) { return task; }\n",
}
TRAITS = {
    "Cargo.toml": '[package]\nname = "zoo"\n',
    "src/lib.rs": "mod lion;\npub trait Animal { fn roar(&self); }\npub struct Tiger;\n"
    "impl Animal for Tiger { fn roar(&self) {} }\n",
    "src/lion.rs": "use crate::Animal;\nuse crate::Tiger;\npub struct Lion;\n\n"
    "impl Animal for Lion {\n    fn roar(&self) { Tiger.roar() }\n}\n",
}
ROUTES = {
    "go.mod": "module zoo\n",
    "router.go": """package zoo

type Finder interface {
	Find(n string) int
}

type Router interface {
	Finder
	Handle(name string)
}
""",
    "mux.go": "package zoo\n\ntype Mux struct{}\n\nfunc (m *Mux) Find(n string) int { return 1 }\n",
    "handle.go": """package zoo

type Half struct{}

type Own struct {
	Mux
}

func (m *Mux) Handle(name string) { m.Find(name) }

func (h Half) Handle(name string) {}

func Serve(r Router) { r.Handle("a") }
""",
}


def trace(home: Home, project: str, symbol: str, ask: str, **given: object) -> list[str]:
    return home.alice.text(TRACE, symbol=symbol, ask=ask, project=project, **given).splitlines()


@pytest.mark.requirement("memory.trace.uses", "memory.trace.path")
def test_an_object_in_shorthand_does_not_enclose_the_call_around_it(home: Home) -> None:
    home.project("pool", POOL)
    (caller,) = trace(home, "pool", "send", "callers")[2:]
    assert caller.startswith("pool/src/pool.ts:6 Pool.run (call 0.99)")
    path = [line.split(" | ")[0] for line in trace(home, "pool", "start", "path", to="send")[2:]]
    assert path == [
        "pool/src/pool.ts:11 start (call 0.95) depth 0",
        "pool/src/pool.ts:6 Pool.run (call 0.99) depth 1",
        "pool/src/send.ts:1 send depth 2",
    ]


@pytest.mark.requirement("memory.trace.types")
def test_an_impl_of_a_trait_is_an_implementation(home: Home) -> None:
    home.project("zoo", TRAITS)
    assert trace(home, "zoo", "Animal", "implementations")[1:] == [
        "implementations: 2 in 2 files",
        "zoo/src/lib.rs:4 Tiger (extends) depth 1 | impl Animal for Tiger { fn roar(&self) {} }",
        "zoo/src/lion.rs:5 Lion (extends 0.99) depth 1 | impl Animal for Lion {",
    ]
    assert trace(home, "zoo", "Lion", "superclasses")[1:] == [
        "superclasses: 1",
        "zoo/src/lib.rs:2 Animal (extends 0.99) depth 1 | pub trait Animal { fn roar(&self); }",
    ]
    overriding = [line.split(" ")[1] for line in trace(home, "zoo", "Animal.roar", "overrides")[2:]]
    assert overriding[:2] == ["Tiger.roar", "Lion.roar"]


@pytest.mark.requirement("memory.trace.types", "memory.trace.path")
def test_a_type_of_go_implements_the_interfaces_whose_methods_it_has(home: Home) -> None:
    home.project("zoo", ROUTES)
    assert trace(home, "zoo", "Router", "implementations")[1:] == [
        "implementations: 2 in 2 files",
        "zoo/handle.go:6 Own (extends 0.80) depth 1 | Mux",
        "zoo/mux.go:3 Mux (has its methods 0.80) depth 1 | type Mux struct{}",
    ]
    (override, *_) = trace(home, "zoo", "Router.Handle", "overrides")[2:]
    assert override.startswith("zoo/handle.go:9 Mux.Handle (override 0.80)")
    path = [line.split(" ")[1] for line in trace(home, "zoo", "Serve", "path", to="Mux.Find")[2:]]
    assert path == ["Serve", "Mux.Handle", "Mux.Find"]


PACKAGE = {
    "kit/__init__.py": "def make() -> int:\n    return 1\n",
    "kit/inner.py": "def make() -> int:\n    return 2\n",
    "app.py": "import kit\nfrom kit import inner\n\n\ndef run():\n    kit.make()\n"
    "    inner.make()\n",
}
OVERLOADED = {
    "Tree.java": """class Tree {
  public int find(String n) { return find(n, 0); }
  private int find(String n, int depth) { return depth; }
}
""",
}


@pytest.mark.requirement("memory.trace.one-of-namesakes")
@pytest.mark.parametrize(
    "named", ["kit.make", "kit/__init__.py::make", "kit/__init__.py#make", "make(x: int)"]
)
def test_a_name_may_be_qualified_by_its_file_or_package(home: Home, named: str) -> None:
    home.project("shop", PACKAGE)
    first, *_ = trace(home, "shop", named, "callers")
    assert first == "symbol:shop/kit/__init__.py#make function, line 1, 1 use"


@pytest.mark.requirement("memory.trace.one-of-namesakes")
@pytest.mark.parametrize("named", ["(*Mux).Find", "zoo.Mux.Find", "mux.go:Mux.Find"])
def test_a_name_may_be_written_as_in_go(home: Home, named: str) -> None:
    home.project("zoo", ROUTES)
    assert trace(home, "zoo", named, "definition")[0].startswith("symbol:zoo/mux.go#Mux.Find ")


@pytest.mark.requirement("memory.trace.namesakes")
def test_symbols_of_one_name_are_told_apart_by_what_differs(home: Home) -> None:
    home.project("shop", PACKAGE)
    assert [line.split(" | ")[0] for line in trace(home, "shop", "make", "callers")[3:]] == [
        "shop/app.py:6 run (call 0.99), of __init__.py",
        "shop/app.py:7 run (call 0.99), of inner.py",
    ]


@pytest.mark.requirement("memory.trace.namesakes")
def test_overloads_are_one_symbol(home: Home) -> None:
    home.project("wood", OVERLOADED)
    assert trace(home, "wood", "Tree.find", "callers") == [
        "symbol:wood/Tree.java#Tree.find method, lines 2 and 3, 1 use",
        "callers: 1",
        "wood/Tree.java:2 Tree.find (call) | public int find(String n) { return find(n, 0); }",
    ]


@pytest.mark.requirement("memory.trace.namesakes")
def test_a_definition_names_its_namesakes(home: Home) -> None:
    home.project(
        "desk", {"a.ts": "export const limit = 1;\n", "b.ts": "interface B { limit: 1 }\n"}
    )
    assert trace(home, "desk", "limit", "definition")[2:] == [
        "namesakes, not counted above: 1",
        "= symbol:desk/b.ts#B.limit 0 uses",
    ]


WORKER = {
    "worker.ts": """import { Resource } from 'node:hooks';

export class Task extends Resource {
  readonly size = 1;
  run(limit: number) { new Resource().open(); return { limit, open: true }; }
}

export const make = (limit: number) => ({ limit, task: new Task() });
""",
}


@pytest.mark.requirement("memory.trace.unknown")
def test_a_name_that_a_library_defines_has_its_uses(home: Home) -> None:
    home.project("pool", WORKER)
    assert trace(home, "pool", "Resource", "subclasses") == [
        "Resource is not defined in this code; it is used here by its name",
        "subclasses: 1",
        "pool/worker.ts:3 Task (extends) depth 1 | export class Task extends Resource {",
    ]
    (*_, call) = trace(home, "pool", "Resource", "callers")
    assert call.startswith("pool/worker.ts:5 Task.run (call) | run(limit: number)")
    refused = home.alice.refusal(TRACE, symbol="Resourse", ask="callers", project="pool")
    assert "No symbol is called Resourse" in str(refused)


@pytest.mark.requirement("memory.trace.files")
def test_a_class_has_an_outline_without_the_keys_of_objects(home: Home) -> None:
    home.project("pool", WORKER)
    assert [line.split(" | ")[0] for line in trace(home, "pool", "Task", "outline")] == [
        "symbol:pool/worker.ts#Task class, line 3",
        "outline: 2; 2 offered to others, 0 not",
        "pool/worker.ts:4 Task.size field",
        "pool/worker.ts:5 Task.run method",
    ]
    whole = [line.split(" ")[1] for line in trace(home, "pool", "worker.ts", "outline")[2:]]
    assert whole == ["Task", "Task.size", "Task.run", "make"]


@pytest.mark.requirement("memory.trace.words")
def test_where_something_is_configured_asks_for_its_uses(home: Home) -> None:
    home.project("pool", WORKER)
    told = home.alice.text(TRACE, symbol="where is Task configured?", project="pool")
    assert told.splitlines()[1].startswith("references: 1; 1 call")


@pytest.mark.requirement("memory.trace.uses")
def test_the_variable_of_a_loop_does_not_enclose_its_body(home: Home) -> None:
    text = "function one() {}\nfunction all() {\n  for (const each of [1]) {\n    one();\n  }\n}\n"
    home.project("desk", {"a.ts": text})
    (call,) = trace(home, "desk", "one", "callers")[2:]
    assert call == "desk/a.ts:4 all (call) | one();"


@pytest.mark.requirement("memory.trace.files")
def test_files_of_a_package_that_need_no_import_are_its_users(home: Home) -> None:
    crate = {
        "Cargo.toml": '[package]\nname = "zoo"\n',
        "src/lib.rs": "mod util;\npub fn run() { util::check(); }\n",
        "src/util.rs": "pub fn check() {}\n",
    }
    home.project("zoo", crate)
    assert trace(home, "zoo", "src/util.rs", "importers")[1:] == [
        "importers: 1; 1 use it without an import",
        "zoo/src/lib.rs:1 (read 0.99), of it check | mod util;",
    ]


@pytest.mark.requirement("memory.trace.short")
def test_long_paths_leave_room_for_the_lines(home: Home) -> None:
    folder = "source/main/java/com/example/warehouse/inventory/management/internal"
    calls = "".join(
        f"  void call{number}() {{ Stock.count(shelf, {number}); }}\n" for number in range(20)
    )
    home.project("depot", {
        f"{folder}/Stock.java": "class Stock { static void count(Object shelf, int n) {} }\n",
        f"{folder}/StockInventoryManagementTests.java":
            f"class StockInventoryManagementTests {{\n{calls}}}\n",
    })  # fmt: skip
    lines = trace(home, "depot", "Stock.count", "callers")
    assert lines[2].startswith(f"depot/{folder}/StockInventoryManagementTests.java:2 ")
    assert lines[3].startswith("…/StockInventoryManagementTests.java:3 ")
    assert all("count(shelf" in line for line in lines[2:])
    assert len("\n".join(lines)) <= 2_500
