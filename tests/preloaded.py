"""What forks of tests have imported before they begin: the product, and what tests add to it."""

from __future__ import annotations

import gc
import pkgutil
from importlib import import_module

import commonplace
import tests.processes

# The one imports a client's library, which is larger than everything else; the other runs.
_APART = ("commonplace.memory_tool", "commonplace.__main__")

for _module in pkgutil.walk_packages(commonplace.__path__, "commonplace."):
    if _module.name not in _APART:
        import_module(_module.name)
# What all forks share stays shared: to look through it for garbage would copy it.
gc.collect()
gc.freeze()

__all__ = ["tests"]
