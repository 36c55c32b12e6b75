"""Names that a module declares for all, what hangs on `window`, and tags of a library."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.layout import Layout
from commonplace.codegraph.resolution.resolve import link_file, project_of
from tests.unit.codegraph.project import Project

GLOBALS = """
    import { Store } from './store';
    declare global {
      interface Window { store: Store; }
      interface Document { editor: Store }
      var counter: Store;
      type Shared = Store;
    }
    const inner = 1;
    export {};
    """
STORE = "export class Store { save(): void {} }\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("window.|store;", "globals.ts:4 store"),
        ("window.store.|save();", "store.ts:1 save"),
        ("globalThis.store.|save();", "store.ts:1 save"),
        ("document.editor.|save();", "store.ts:1 save"),
        ("|counter.save();", "globals.ts:6 counter"),
        ("window.|counter;", "globals.ts:6 counter"),
        ("counter.|save();", "store.ts:1 save"),
        ("declare const one: |Shared;", "globals.ts:7 Shared"),
        ("|inner;", ""),
        ("window.|inner;", ""),
        ("const window = 1; window.|store;", ""),
    ],
)
def test_what_is_declared_global_is_known_to_all(code: str, expected: str) -> None:
    files = {"globals.ts": GLOBALS, "store.ts": STORE, "use.ts": code.replace("|", "")}
    assert Project(files).leads_to("use.ts", code) == expected


ELEMENTS = """
    export namespace JSX {
      export interface IntrinsicElements { box: BoxProps; page: { title: string } }
    }
    export interface BoxProps { width: number }
    """
TAGS = [("<|box ", "box"), ("box |width", "width"), ("<|page", "page"), ("</|page", "page")]


@pytest.mark.parametrize(("marked", "name"), TAGS)
@pytest.mark.parametrize("said", ["by the file", "by its configuration", "for all"])
def test_a_tag_is_a_member_of_the_elements_that_are_declared(
    said: str, marked: str, name: str
) -> None:
    view = 'const a = <box width={1} />;\nconst b = <page title="t"></page>;\n'
    files = {"src/jsx-runtime.ts": ELEMENTS, "app/view.tsx": view}
    if said == "by the file":
        files["app/view.tsx"] = f"/** @jsxImportSource ../src */\n{view}"
    elif said == "by its configuration":
        files["app/tsconfig.json"] = '{"compilerOptions": {"jsxImportSource": "../src"}}'
    else:
        files["src/jsx-runtime.ts"] = f"declare global {{ {ELEMENTS.replace('export ', '')} }}"
    project = Project(files)
    assert project.leads_to("app/view.tsx", marked).endswith(f" {name}")


def test_a_tag_that_nobody_declares_is_no_use_that_could_not_be_linked() -> None:
    facts = Project({"view.tsx": "const a = <div></div>;\n"}).facts
    linked = link_file(project_of(facts, Layout()), "view.tsx")
    assert len(linked.inner) == len(facts["view.tsx"].references) == 2
