"""A run of the whole suite fails unless each requirement of the ledger was proven in it.

Whatever marks say: proven is what a test names that ran and passed. Works with and without
processes of pytest-xdist, whose reports carry what their tests name.
"""

from __future__ import annotations

import pytest

from tests.surfaces.requirements import awaited, requirements, unbuilt

_NAMED = "requirement"
_ORDINARY = "not soak"
_PROVEN = pytest.StashKey[set[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_PROVEN] = set()


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers(_NAMED):
        item.user_properties += [(_NAMED, id_) for id_ in mark.args]


class Proven:
    """Hears the reports, of this process or of those that it started."""

    def __init__(self, config: pytest.Config) -> None:
        self._proven = config.stash[_PROVEN]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self._proven |= {str(id_) for name, id_ in report.user_properties if name == _NAMED}


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
    """Whether nothing was left out but what is long; the process that starts others knows."""
    option = config.option
    chosen = option.keyword or option.deselect or option.ignore or option.ignore_glob
    some = chosen or option.collectonly or getattr(option, "lf", False) or option.maxfail
    ordinary = option.markexpr == _ORDINARY and config.args == config.getini("testpaths")
    return ordinary and not some and not hasattr(config, "workerinput")


def missing(config: pytest.Config) -> list[str]:
    waiting = {*unbuilt(), *awaited()}
    wanted = (r for r in requirements() if not {r.surface, r.id} & waiting)
    proven = config.stash[_PROVEN]
    return sorted(r.id for r in wanted if r.id not in proven)
