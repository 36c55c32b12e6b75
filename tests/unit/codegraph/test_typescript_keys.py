"""Keys of literals, attributes of elements and destructured names use the member they name."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.layout import Layout
from commonplace.codegraph.resolution.resolve import link_file, project_of
from tests.unit.codegraph.project import Project

FILES = {
    "types.ts": """
        export interface Options { limit: number; onEnd(): void; inner: { depth: number } }
        export function run(options: Options): void {}
        export type Props = { title: string; onPick?: (n: number) => void };
        """,
    "use.ts": """
        import { Options, run } from './types';
        run({ limit: 1, onEnd() {}, inner: { depth: 2 } });
        const made: Options = { limit: 3, onEnd: () => {}, inner: { depth: 4 } };
        function take({ limit, inner: { depth } }: Options) { return limit + depth; }
        const { limit: most, onEnd = () => {} } = made;
        const own = { limit: 5 };
        """,
    "view.tsx": """
        import React from 'react';
        import type { FC } from 'react';
        import { Props } from './types';
        const html = 1;
        function Button({ title }: Props) { return <html>{title}</html>; }
        const Typed: FC<Props> = (props) => null;
        class Old extends React.Component<Props, { open: boolean }> {
          render() { this.state.open; return this.props.title; }
        }
        export const page = <><Button title="a" onPick={() => {}} /><Typed title="b" /></>;
        export const old = <Old title="c"></Old>;
        """,
}
LINKS = {
    ("use.ts", "run({ |limit: 1"): "types.ts:2 limit",
    ("use.ts", ", |onEnd() {}"): "types.ts:2 onEnd",
    ("use.ts", "{ |depth: 2"): "types.ts:2 depth",
    ("use.ts", "{ |limit: 3"): "types.ts:2 limit",
    ("use.ts", "{ |depth: 4"): "types.ts:2 depth",
    ("use.ts", "take({ |limit"): "types.ts:2 limit",
    ("use.ts", "inner: { |depth }"): "types.ts:2 depth",
    ("use.ts", "{ |limit: most"): "types.ts:2 limit",
    ("use.ts", ", |onEnd = "): "types.ts:2 onEnd",
    ("use.ts", "own = { |limit"): "",
    ("view.tsx", "Button |title"): "types.ts:4 title",
    ("view.tsx", '"a" |onPick'): "types.ts:4 onPick",
    ("view.tsx", "Typed |title"): "types.ts:4 title",
    ("view.tsx", "Old |title"): "types.ts:4 title",
    ("view.tsx", "props.|title"): "types.ts:4 title",
    ("view.tsx", "state.|open"): "view.tsx:8 open",
    ("view.tsx", "<|html>"): "",
}


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(FILES)


@pytest.mark.parametrize(("path", "marked"), LINKS)
def test_a_member_is_used_where_it_is_named(project: Project, path: str, marked: str) -> None:
    assert project.leads_to(path, marked) == LINKS[path, marked]


def test_a_key_that_nothing_expects_is_no_use_that_could_not_be_linked(project: Project) -> None:
    linked = link_file(project_of(project.facts, Layout()), "use.ts")
    names = [project.facts["use.ts"].references[number].name for number in linked.inner]
    assert "limit" in names
