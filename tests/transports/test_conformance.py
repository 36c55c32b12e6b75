"""The protocol's own conformance suites against our HTTP server, one scenario a test."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.transports.node import run_node
from tests.transports.serving import Served

# The older suite knows revisions up to 2025-11-25, the newer one also 2026-07-28.
OLD, NEW = "conformance-2025", "conformance-2026"
PASSING = {"SUCCESS", "INFO", "SKIPPED"}

ON_THE_PRODUCT = [
    (OLD, None, "server-initialize"),
    (OLD, None, "ping"),
    (OLD, None, "tools-list"),
    (OLD, None, "resources-list"),
    (OLD, None, "server-sse-multiple-streams"),
    (OLD, None, "dns-rebinding-protection"),
    (NEW, "2025-11-25", "server-initialize"),
    (NEW, "2025-11-25", "server-session-lifecycle"),
    (NEW, "2025-11-25", "ping"),
    (NEW, "2025-11-25", "tools-list"),
    (NEW, "2025-11-25", "resources-list"),
    (NEW, "2025-11-25", "server-sse-multiple-streams"),
    (NEW, "2025-11-25", "dns-rebinding-protection"),
    (NEW, "2026-07-28", "server-stateless"),
    (NEW, "2026-07-28", "tools-list"),
    (NEW, "2026-07-28", "resources-list"),
    (NEW, "2026-07-28", "sep-2164-resource-not-found"),
    (NEW, "2026-07-28", "caching"),
    (NEW, "2026-07-28", "http-header-validation"),
    (NEW, "2026-07-28", "server-sse-multiple-streams"),
    (NEW, "2026-07-28", "dns-rebinding-protection"),
]

ON_THE_FIXTURES = [
    (suite, revision, scenario)
    for suite, revision in [(OLD, None), (NEW, "2025-11-25"), (NEW, "2026-07-28")]
    for scenario in [
        "tools-call-simple-text",
        "tools-call-error",
        "tools-call-with-progress",
        "resources-read-text",
        "resources-templates-read",
    ]
] + [
    (NEW, "2026-07-28", "server-stateless"),
    (NEW, "2026-07-28", "http-custom-header-server-validation"),
]

_DIAGNOSTIC = "needs a diagnostic tool of this name; the fixture server has it"
_CAPABILITY = "no surface of ours asks for anything that the client would have to be able to do"
# Checks of scenarios above that cannot pass, and must go on failing: a surprise is looked at.
NOT_FOR_US = {
    "sep-2575-server-rejects-undeclared-capability": _CAPABILITY,
    "sep-2575-missing-capability-http-400": _CAPABILITY,
    "sep-2575-http-server-no-independent-requests-on-stream": _DIAGNOSTIC,
    "sep-2575-server-no-log-without-loglevel": _DIAGNOSTIC,
}

# Scenarios that neither server can play, by what they would need. A test keeps the list complete.
LEFT_OUT = {
    "content other than text, which no surface returns": [
        "tools-call-image",
        "tools-call-audio",
        "tools-call-embedded-resource",
        "tools-call-mixed-content",
        "resources-read-binary",
    ],
    "a question back to the client, which no surface asks": [
        "tools-call-sampling",
        "tools-call-elicitation",
        "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums",
        "input-required-result-basic-elicitation",
        "input-required-result-basic-sampling",
        "input-required-result-basic-list-roots",
        "input-required-result-request-state",
        "input-required-result-multiple-input-requests",
        "input-required-result-multi-round",
        "input-required-result-missing-input-response",
        "input-required-result-non-tool-request",
        "input-required-result-result-type",
        "input-required-result-unsupported-methods",
        "input-required-result-tampered-state",
        "input-required-result-capability-check",
        "input-required-result-ignore-extra-params",
        "input-required-result-validate-input",
    ],
    "log messages over the protocol; ours go to stderr and the capability is not declared": [
        "logging-set-level",
        "tools-call-with-logging",
    ],
    "subscriptions, which are not declared": ["resources-subscribe", "resources-unsubscribe"],
    "prompts or completion, which are not declared": [
        "completion-complete",
        "prompts-list",
        "prompts-get-simple",
        "prompts-get-with-args",
        "prompts-get-embedded-resource",
        "prompts-get-with-image",
    ],
    "a store of sent events, to resume a broken stream": ["server-sse-polling"],
    "schemas with references; ours are written out in place": ["json-schema-2020-12"],
    "an extension that we do not declare": [
        "sep-2640-skills-directory",
        "sep-2640-skills-enumeration",
        "sep-2640-skills-manifest",
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-request-state-removal",
        "tasks-mrtr-input",
        "tasks-request-headers",
        "tasks-dispatch-and-envelope",
        "tasks-status-notifications",
        "tasks-required-task-error",
        "tasks-mrtr-composition",
    ],
}


@dataclass(frozen=True)
class Report:
    """What a suite found out about a server, a folder for each scenario."""

    folder: Path
    output: str


RunSuite = Callable[[str, str, str | None], Report]


def command(suite: str) -> str:
    return f"node_modules/{suite}/dist/index.js"


@pytest.fixture(scope="module")
def run_suite(node: None, tmp_path_factory: pytest.TempPathFactory) -> RunSuite:
    """All scenarios of a suite on a server, at the first that is asked for: Node starts slowly."""

    @cache
    def run(endpoint: str, suite: str, revision: str | None) -> Report:
        folder = tmp_path_factory.mktemp("conformance")
        version = ["--spec-version", revision] if revision else []
        done = run_node(
            *[command(suite), "server", "--url", endpoint.replace("127.0.0.1", "localhost")],
            *["--suite", "all", "--output-dir", str(folder), *version],
            home=folder,
        )
        return Report(folder, done.output)

    return run


def failed_checks(report: Report, scenario: str) -> set[str]:
    """Fails with the tool's own output; gives the checks that failed and were bound to."""
    files = list(report.folder.glob(f"server-{scenario}-20??-??-??T*/checks.json"))
    assert len(files) == 1, report.output
    checks: list[dict[str, Any]] = json.loads(files[0].read_text())
    shown = json.dumps(checks, indent=1)
    assert any(check["status"] == "SUCCESS" for check in checks), shown
    failed = {check["id"] for check in checks if check["status"] not in PASSING}
    assert failed <= NOT_FOR_US.keys(), shown
    return failed


@pytest.mark.parametrize(("suite", "revision", "scenario"), ON_THE_PRODUCT)
def test_the_product(
    run_suite: RunSuite, product: Served, suite: str, revision: str | None, scenario: str
) -> None:
    failed = failed_checks(run_suite(product.endpoint, suite, revision), scenario)
    prefix = {"server-stateless": "sep-2575-", "caching": "sep-2549-"}.get(scenario, "none")
    assert failed == {check for check in NOT_FOR_US if check.startswith(prefix)}


@pytest.mark.parametrize(("suite", "revision", "scenario"), ON_THE_FIXTURES)
def test_the_same_wiring_with_fixtures(
    run_suite: RunSuite, fixture_server: Served, suite: str, revision: str | None, scenario: str
) -> None:
    failed = failed_checks(run_suite(fixture_server.endpoint, suite, revision), scenario)
    assert {NOT_FOR_US[check] for check in failed} <= {_CAPABILITY}


def test_every_scenario_is_run_or_left_out_for_a_reason(node: None, tmp_path: Path) -> None:
    ours = {scenario for _, _, scenario in ON_THE_PRODUCT + ON_THE_FIXTURES}
    left = {scenario for scenarios in LEFT_OUT.values() for scenario in scenarios}
    known: set[str] = set()
    for suite in (OLD, NEW):
        listed = run_node(command(suite), "list", "--server", home=tmp_path)
        lines = [line.split() for line in listed.printed.splitlines()]
        known |= {words[1] for words in lines if words[:1] == ["-"]}
    assert not ours & left
    assert ours | left == known
