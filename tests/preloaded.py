"""The imports of the process that tests fork from: the product and the test processes."""

from __future__ import annotations

import gc
import pkgutil
from importlib import import_module

import commonplace
import tests.processes

# The first imports a large client library; importing the second would run it.
_EXCLUDED = ("commonplace.memory_tool", "commonplace.__main__")

for _module in pkgutil.walk_packages(commonplace.__path__, "commonplace."):
    if _module.name not in _EXCLUDED:
        import_module(_module.name)
# A garbage collection in a fork would copy the memory that all forks share.
gc.collect()
gc.freeze()

__all__ = ["tests"]
