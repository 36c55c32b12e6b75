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
