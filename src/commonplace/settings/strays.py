"""Variables with our prefix that nothing reads, such as a misspelled setting."""

from __future__ import annotations

import os
from collections.abc import Collection

from commonplace.settings.values import ENV_PREFIX

# Read by `commonplace push` and `commonplace org move`.
_OF_COMMANDS = frozenset({"COMMONPLACE_TOKEN", "COMMONPLACE_MOVE_TO"})


def stray_variables(settings: Collection[str]) -> list[str]:
    """A sentence for each variable that is not a setting, with the nearest one if it is near."""
    known = [ENV_PREFIX + name.upper() for name in settings]
    set_here = sorted(name for name in os.environ if name.startswith(ENV_PREFIX))
    return [
        _told(name, known) for name in set_here if name not in known and name not in _OF_COMMANDS
    ]


def _told(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1, cutoff=0.9)
    return f"{name} is not a setting" + "".join(f"; did you mean {one}?" for one in near)
