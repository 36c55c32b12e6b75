"""usearch, loaded so that onnxruntime can still be loaded after it; nobody else imports it.

usearch brings a C++ runtime of its own. Where it is the first to load one, onnxruntime crashes on
finding two (usearch 2.26, onnxruntime 1.31), so the system's is put in place before.
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
