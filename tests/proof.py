"""A pytest plugin: a run of the whole suite fails unless it proved every requirement of the ledger.

A requirement is proven if a test that names it ran and passed. The ids travel in the reports, so
this works with and without pytest-xdist.
"""

from __future__ import annotations

import pytest

from tests.surfaces.requirements import awaited, requirements, unbuilt

_MARK = "requirement"
_ORDINARY = "not soak"
_PROVEN = pytest.StashKey[set[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_PROVEN] = set()


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers(_MARK):
        item.user_properties += [(_MARK, id_) for id_ in mark.args]


class Proven:
    """Collects the requirements in the reports of passed tests, also from xdist workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._proven = config.stash[_PROVEN]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self._proven |= {str(id_) for name, id_ in report.user_properties if name == _MARK}


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.pluginmanager.register(Proven(session.config))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    config = session.config
    if exitstatus == pytest.ExitCode.OK and is_whole(config) and missing(config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    if exitstatus != pytest.ExitCode.OK or not is_whole(config):
        return
    if unproven := missing(config):
        terminalreporter.section("requirements that no test proved in this run")
        for id_ in unproven:
            terminalreporter.line(id_)


def is_whole(config: pytest.Config) -> bool:
    """Whether this is a run of all tests except soak tests; only the main process decides."""
    option = config.option
    selected = option.keyword or option.deselect or option.ignore or option.ignore_glob
    partial = selected or option.collectonly or getattr(option, "lf", False) or option.maxfail
    ordinary = option.markexpr == _ORDINARY and config.args == config.getini("testpaths")
    return ordinary and not partial and not hasattr(config, "workerinput")


def missing(config: pytest.Config) -> list[str]:
    waiting = {*unbuilt(), *awaited()}
    wanted = (r for r in requirements() if not {r.surface, r.id} & waiting)
    proven = config.stash[_PROVEN]
    return sorted(r.id for r in wanted if r.id not in proven)
