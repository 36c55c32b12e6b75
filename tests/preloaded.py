"""What forked processes share: the imports of the product, the test processes, the loaded model."""

from __future__ import annotations

import gc
import pkgutil
from importlib import import_module

import pytest

import commonplace
import tests.processes
from commonplace.embedding import bundled
from tests.models import loaded_once

# The first imports a large client library; importing the second would run it.
_EXCLUDED = ("commonplace.memory_tool", "commonplace.__main__")

for _module in pkgutil.walk_packages(commonplace.__path__, "commonplace."):
    if _module.name not in _EXCLUDED:
        import_module(_module.name)
# Loading it takes longer than most of what a fork is asked. It has no threads, so it survives.
pytest.MonkeyPatch().setattr(bundled, "_Model", loaded_once)
bundled.BundledEmbedder().count_tokens("")
# A garbage collection in a fork would copy the memory that all forks share.
gc.collect()
gc.freeze()

__all__ = ["tests"]
