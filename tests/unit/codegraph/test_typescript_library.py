"""What TypeScript's own library does with values of a project's types."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.project import Project

FILES = {
    "types.ts": """
        export interface Patch { op: string; inner: { depth: number } }
        export class Store { size = 1 }
        export type ById = { [id: string]: Patch }
        """,
    "casts.ts": """
        import { Patch } from './types';
        const cast = { op: 'cast' } as Patch;
        const checked = { op: 'satisfies' } satisfies Patch;
        const listed = [{ op: 'in a list' }] as Patch[];
        const constant = { op: 'as const' } as const;
        """,
    "results.ts": """
        import { Patch } from './types';
        const list = (): Patch[] => [{ op: 'arrow' }];
        async function promised(): Promise<Patch> { return { op: 'async' }; }
        class Holder { async method(): Promise<Patch> { return { op: 'method' }; } }
        let later: Patch[];
        later = [{ op: 'assigned' }];
        """,
    "lists.ts": """
        import { Patch } from './types';
        const list: Patch[] = [];
        list.push({ op: 'push' });
        new Set<Patch>().add({ op: 'add' });
        const byName = new Map<string, Patch>();
        byName.set('a', { op: 'set' });
        list.sort((a, b) => a.op.length - b.inner.depth);
        list.reduce((sum, item) => sum + item.op, '');
        const total = list.reduce((sum, item) => { sum.count += 1; return sum; }, { count: 0 });
        total.count;
        """,
    "objects.ts": """
        import { ById, Patch } from './types';
        declare const byId: ById;
        declare const record: Record<string, Patch>;
        byId.first.op;
        byId['second'].inner;
        byId[one].inner.depth;
        Object.values(record).map((value) => value.op);
        Object.entries(record).forEach(([key, entry]) => entry.op);
        Object.values(byId)[0].op;
        const assigned = Object.assign({}, record.a, { more: 1 });
        assigned.inner; assigned.more;
        const frozen = Object.freeze({ deep: { er: 1 } });
        frozen.deep.er;
        structuredClone(frozen).deep;
        """,
    "computed.ts": """
        import { Patch, Store } from './types';
        function setup() { return { first: 1, second: new Store() }; }
        declare const result: ReturnType<typeof setup>;
        result.first; result.second.size;
        declare const made: InstanceType<typeof Store>;
        made.size;
        async function load(): Promise<Patch> { return null!; }
        declare const awaited: Awaited<ReturnType<typeof load>>;
        awaited.op;
        declare const patches: Patch[];
        declare const element: (typeof patches)[number];
        element.op;
        """,
    "env.d.ts": """
        interface ImportMetaEnv { readonly MODE: string }
        interface ImportMeta { readonly env: ImportMetaEnv }
        """,
    "vite.ts": "export const mode = import.meta.env.MODE;",
}
OP, INNER, DEPTH = "types.ts:2 op", "types.ts:2 inner", "types.ts:2 depth"
LINKS = {
    ("casts.ts", "cast = { |op"): OP,
    ("casts.ts", "checked = { |op"): OP,
    ("casts.ts", "[{ |op: 'in"): OP,
    ("casts.ts", "constant = { |op"): "",
    ("results.ts", "|op: 'arrow'"): OP,
    ("results.ts", "|op: 'async'"): OP,
    ("results.ts", "|op: 'method'"): OP,
    ("results.ts", "|op: 'assigned'"): OP,
    ("lists.ts", "|op: 'push'"): OP,
    ("lists.ts", "|op: 'add'"): OP,
    ("lists.ts", "|op: 'set'"): OP,
    ("lists.ts", "a.|op.length"): OP,
    ("lists.ts", "b.|inner"): INNER,
    ("lists.ts", "item.|op, ''"): OP,
    ("lists.ts", "sum.|count"): "lists.ts:10 count",
    ("lists.ts", "total.|count"): "lists.ts:10 count",
    ("objects.ts", "first.|op"): OP,
    ("objects.ts", "['second'].|inner"): INNER,
    ("objects.ts", "inner.|depth"): DEPTH,
    ("objects.ts", "value.|op"): OP,
    ("objects.ts", "entry.|op"): OP,
    ("objects.ts", "[0].|op"): OP,
    ("objects.ts", "assigned.|inner"): INNER,
    ("objects.ts", "assigned.|more"): "objects.ts:11 more",
    ("objects.ts", "frozen.|deep"): "objects.ts:13 deep",
    ("objects.ts", "deep.|er;"): "objects.ts:13 er",
    ("objects.ts", "(frozen).|deep"): "objects.ts:13 deep",
    ("computed.ts", "result.|first"): "computed.ts:3 first",
    ("computed.ts", "second.|size"): "types.ts:3 size",
    ("computed.ts", "made.|size"): "types.ts:3 size",
    ("computed.ts", "awaited.|op"): OP,
    ("computed.ts", "element.|op"): OP,
    ("vite.ts", "meta.|env"): "env.d.ts:3 env",
    ("vite.ts", "env.|MODE"): "env.d.ts:2 MODE",
}


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(FILES)


@pytest.mark.parametrize(("path", "marked"), LINKS)
def test_a_value_keeps_its_type(project: Project, path: str, marked: str) -> None:
    assert project.leads_to(path, marked) == LINKS[path, marked]
