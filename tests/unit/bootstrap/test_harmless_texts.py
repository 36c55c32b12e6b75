"""Where it is remembered that nothing was found in a text, of several applications in a process."""

from __future__ import annotations

from pathlib import Path

from commonplace.bootstrap import running_application
from commonplace.bootstrap.adapters import EXAMINED
from commonplace.safety.warnings import warnings_of
from commonplace.settings import Settings


def test_an_application_remembers_until_it_ends_itself(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    with running_application(Settings(home=one)):
        with running_application(Settings(home=other)):
            assert warnings_of(f"The orchard of {other} is harvested.") == []
        assert (other / EXAMINED).stat().st_size
        assert not (one / EXAMINED).exists()
        assert warnings_of(f"The orchard of {one} is harvested.") == []
    assert (one / EXAMINED).stat().st_size
