"""Which file a module specifier means."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.layout import Layout, layout_of
from commonplace.codegraph.resolution.modules import ProjectModules

FILES = (
    "app/main.ts", "app/util/index.ts", "app/view.tsx", "app/types.d.ts", "app/old.js",
    "packages/core/src/index.ts", "packages/core/src/deep/tool.ts", "packages/core/extra.mts",
    "lib/shared/text.ts",
)  # fmt: skip
MANIFESTS = {
    "packages/core/package.json": """{
      "name": "@acme/core",
      "exports": {".": {"types": "./dist/index.d.ts", "source": "./src/index.ts"},
                  "./deep/*": "./src/deep/*.ts"},
      "imports": {"#deep": "./src/deep/tool.js"}
    }""",
    "tsconfig.json": """{
      // aliases of the whole project
      "compilerOptions": {"baseUrl": "./lib", "paths": {"@/*": ["../app/*"]}},
    }""",
    "broken/package.json": "{",
}


@pytest.mark.parametrize(
    ("specifier", "found"),
    [
        ("./util", "app/util/index.ts"),
        ("./util/index.js", "app/util/index.ts"),
        ("./view.js", "app/view.tsx"),
        ("./types", "app/types.d.ts"),
        ("./old.js", "app/old.js"),
        ("../packages/core/extra.mjs", "packages/core/extra.mts"),
        ("@acme/core", "packages/core/src/index.ts"),
        ("@acme/core/deep/tool", "packages/core/src/deep/tool.ts"),
        ("#deep", "packages/core/src/deep/tool.ts"),
        ("@/view", "app/view.tsx"),
        ("shared/text", "lib/shared/text.ts"),
        ("react", None),
        ("./missing", None),
        ("../../../outside", None),
    ],
)
def test_a_specifier_of_typescript(specifier: str, found: str | None) -> None:
    modules = ProjectModules(FILES, layout_of(MANIFESTS))
    assert modules.find("app/main.ts", specifier) == found


@pytest.mark.parametrize(
    ("specifier", "found"),
    [
        ("..", "src/main.ts"),
        ("pool", "src/main.ts"),
        ("../dist/deep/tool", "src/deep/tool.ts"),
        ("../dist/cjs/deep/tool.js", "src/deep/tool.ts"),
        ("../dist/index.js", "index.ts"),
        ("../dist/gone", None),
    ],
)
def test_what_a_build_makes_leads_to_its_source(specifier: str, found: str | None) -> None:
    files = ("src/main.ts", "src/deep/tool.ts", "index.ts", "test/all.ts")
    manifests = {"package.json": '{"name": "pool", "main": "./dist/main.js"}'}
    modules = ProjectModules(files, layout_of(manifests))
    assert modules.find("test/all.ts", specifier) == found


def test_what_a_package_offers_everywhere_comes_before_what_some_environment_gets() -> None:
    entry = """{"react-server": {"types": "./src/server.ts", "default": "./src/server.ts"},
                "import": "./src/main.ts"}"""
    manifests = {"package.json": f'{{"name": "pool", "exports": {{".": {entry}}}}}'}
    modules = ProjectModules(("src/main.ts", "src/server.ts"), layout_of(manifests))
    assert modules.find("test/all.ts", "pool") == "src/main.ts"


@pytest.mark.parametrize(
    ("importer", "specifier", "found"),
    [
        ("src/pkg/a.py", ".b", "src/pkg/b.py"),
        ("src/pkg/sub/c.py", "..b", "src/pkg/b.py"),
        ("src/pkg/sub/c.py", ".", "src/pkg/sub/__init__.py"),
        ("tests/test_a.py", "pkg.sub", "src/pkg/sub/__init__.py"),
        ("tests/test_a.py", "tools", "tests/tools.py"),
        ("src/pkg/a.py", "os.path", None),
        ("src/pkg/a.py", "b", None),
        ("src/pkg/a.py", "....beyond", None),
    ],
)
def test_a_specifier_of_python(importer: str, specifier: str, found: str | None) -> None:
    files = (
        "src/pkg/__init__.py", "src/pkg/a.py", "src/pkg/b.py", "src/pkg/sub/__init__.py",
        "src/pkg/sub/c.py", "tests/test_a.py", "tests/tools.py",
    )  # fmt: skip
    assert ProjectModules(files, Layout()).find(importer, specifier) == found
