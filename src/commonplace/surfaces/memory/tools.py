"""The list of the `memory` dialect's tools; each tool has its own module."""

from __future__ import annotations

from commonplace.surfaces.memory.adding import ADD
from commonplace.surfaces.memory.addresses import REFERENCES
from commonplace.surfaces.memory.faults import fault
from commonplace.surfaces.memory.opening import OPEN
from commonplace.surfaces.memory.prompts import PROMPTS
from commonplace.surfaces.memory.recalling import RECALL
from commonplace.surfaces.memory.recent import RECENT
from commonplace.surfaces.memory.remembering import REMEMBER
from commonplace.surfaces.memory.revising import REVISE
from commonplace.surfaces.memory.tracing import TRACE
from commonplace.surfaces.tool import Surface

MEMORY = Surface(
    name="memory",
    tools=(RECALL, REMEMBER, OPEN, REVISE, TRACE, ADD, RECENT),
    resources=(REFERENCES,),
    fault=fault,
    prompts=PROMPTS,
)
