"""Options for every test: generated examples have no deadline, because machines are noisy."""

from __future__ import annotations

# Loaded before usearch: in the other order onnxruntime crashes while it is imported. The product
# keeps the order itself (bootstrap); tests reach into the parts.
import onnxruntime  # noqa: F401 - imported for its effect on the order
from hypothesis import settings

settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")

pytest_plugins = ["tests.stores"]
