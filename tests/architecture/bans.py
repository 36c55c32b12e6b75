"""Checks for banned code: swallowed errors, leftovers, stray output, sleeping tests."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from tests.architecture.tree import RULES, Module, Problem, dotted, within

BANS = RULES["bans"]

# Written so that the patterns do not match themselves.
MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:work|root|farm|home/\w[\w.-]*)/")
REGISTRY_HOST = re.compile(r"\b(?:pypi\.org|files\.pythonhosted|registry\.npmjs|deb\.debian)\b")
LEFTOVER = re.compile(r"\b(?:T[O]DO|FIX[M]E|X[X]X|HA[C]K)\b")
UNCODED_IGNORE = re.compile(r"#\s*type:\s*ignore(?!\[)|#\s*noqa(?!:)", re.IGNORECASE)
SLEEPS = frozenset({"time.sleep", "asyncio.sleep", "anyio.sleep"})
SKIPS = frozenset({"pytest.skip", "pytest.xfail", "pytest.importorskip"})
SKIP_MARKS = frozenset({"pytest.mark.skip", "pytest.mark.skipif", "pytest.mark.xfail"})


def stdout(module: Module) -> Iterator[Problem]:
    """Only the command line and the transports write to stdout, which belongs to MCP."""
    if within(module.place, BANS["stdout"]):
        return
    for node in module.nodes:
        name = dotted(node)
        if name in ("print", "sys.stdout"):
            yield module.problem(node, "stdout", f"{name} outside {' and '.join(BANS['stdout'])}")


def environment(module: Module) -> Iterator[Problem]:
    """Only settings/ reads environment variables."""
    if within(module.place, BANS["environment"]):
        return
    for node in module.nodes:
        if dotted(node) in ("os.environ", "os.getenv", "os.putenv"):
            yield module.problem(node, "environment", "variables are read in settings/ only")


def swallowed_errors(module: Module) -> Iterator[Problem]:
    """No handler catches everything and does nothing."""
    for node in module.nodes:
        if isinstance(node, ast.ExceptHandler):
            if node.type is None:
                yield module.problem(node, "swallowed-errors", "a bare except: name the error")
            elif _catches_everything(node.type) and _does_nothing(node.body):
                yield module.problem(node, "swallowed-errors", "catches everything, does nothing")
        elif (
            isinstance(node, ast.Call)
            and dotted(node.func).endswith("suppress")
            and any(_catches_everything(argument) for argument in node.args)
        ):
            yield module.problem(node, "swallowed-errors", "suppresses everything")


def sleeping_tests(module: Module) -> Iterator[Problem]:
    """Only tests/waiting.py sleeps; other tests poll with it."""
    if not module.path.startswith("tests/") or module.path == BANS["sleeping_tests"]:
        return
    slept = SLEEPS & module.imported_names
    for node in module.nodes:
        if dotted(node) in SLEEPS or (slept and dotted(node) == "sleep"):
            yield module.problem(node, "sleeping-tests", f"wait with {BANS['sleeping_tests']}")


def comments(module: Module) -> Iterator[Problem]:
    """Comments have no leftovers, and suppressions name the code that they suppress."""
    if not LEFTOVER.search(module.source) and not UNCODED_IGNORE.search(module.source):
        return
    for token in tokenize.generate_tokens(io.StringIO(module.source).readline):
        if token.type != tokenize.COMMENT:
            continue
        if LEFTOVER.search(token.string):
            yield module.problem(token.start[0], "comments", "a leftover: do it or file it")
        if UNCODED_IGNORE.search(token.string):
            yield module.problem(token.start[0], "comments", "name the code that is ignored")


def skipped_tests(module: Module) -> Iterator[Problem]:
    """No test is skipped: it runs, or it is deleted."""
    for node in module.nodes:
        called = isinstance(node, ast.Call) and dotted(node.func) in SKIPS
        if called or dotted(node) in SKIP_MARKS:
            yield module.problem(node, "skipped-tests", "a test runs or it goes")


def machine_words(path: str, text: str) -> Iterator[Problem]:
    """No text file has paths of one machine or hosts of registries."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := MACHINE_PATH.search(line):
            yield Problem(path, number, "machine-words", f"a path of one machine: {found[0]}")
        if found := REGISTRY_HOST.search(line):
            yield Problem(path, number, "machine-words", f"a registry's host: {found[0]}")


def _catches_everything(node: ast.expr) -> bool:
    names = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(dotted(name) in ("Exception", "BaseException") for name in names)


def _does_nothing(body: list[ast.stmt]) -> bool:
    return all(
        isinstance(statement, ast.Pass | ast.Continue)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in body
    )
