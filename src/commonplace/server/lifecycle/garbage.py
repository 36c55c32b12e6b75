"""How often a server looks for circles among its objects."""

from __future__ import annotations

import gc

# Objects between two looks. What a call makes is gone with it, but for the few that are in circles;
# of a recall there are 20,000 at a time, which 700, the usual number, would look through 28 times.
_OBJECTS = 50_000


def collect_seldom() -> None:
    """A look through everything takes 170 ms, in which no call is answered."""
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])


def keep_for_good() -> None:
    """What is loaded now stays until the end: it is not looked through again."""
    gc.freeze()
