"""Imports usearch in a way that lets onnxruntime be loaded later. The only module to import it.

usearch bundles a C++ runtime. If it is the first to load one, onnxruntime later crashes on finding
two (usearch 2.26, onnxruntime 1.31), so the system's runtime is loaded first.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

if sys.platform == "linux":
    with suppress(OSError):
        ctypes.CDLL("libstdc++.so.6", mode=ctypes.RTLD_GLOBAL)

from usearch.index import Index, MetricKind, ScalarKind
from usearch.index import search as scan

__all__ = ["Index", "MetricKind", "ScalarKind", "scan"]
