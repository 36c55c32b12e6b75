"""The fourteen tools of the `institutional` dialect."""

from __future__ import annotations

from commonplace.model.actor import Scope
from commonplace.surfaces.institutional import (
    arguments,
    capturing,
    items,
    learning,
    learning_wire,
    wire,
)
from commonplace.surfaces.institutional.faults import fault
from commonplace.surfaces.tool import Surface, Tool

_AN_HOUR = 3600.0

ITEM_TOOLS = (
    Tool(
        name="capture_knowledge",
        title="Capture knowledge",
        description="Save what was learned, with the project and the file or place it is about.",
        scope=Scope.WRITE,
        arguments=arguments.CaptureArguments,
        answer=wire.ItemAnswer,
        run=items.capture_knowledge,
        read_only=False,
    ),
    Tool(
        name="get_knowledge",
        title="Get knowledge",
        description="One item by its id, whole, with how often it was used before.",
        scope=Scope.READ,
        arguments=arguments.GetArguments,
        answer=wire.UsedItemAnswer,
        run=items.get_knowledge,
        read_only=True,
        returns_knowledge=True,
    ),
    Tool(
        name="list_knowledge",
        title="List knowledge",
        description="Items newest first, by type, project or tags, in pages.",
        scope=Scope.READ,
        arguments=arguments.ListArguments,
        answer=wire.ListAnswer,
        run=items.list_knowledge,
        read_only=True,
    ),
    Tool(
        name="update_knowledge",
        title="Update knowledge",
        description="Replace named fields of an item; all others stay. History is kept.",
        scope=Scope.WRITE,
        arguments=arguments.UpdateArguments,
        answer=wire.ItemAnswer,
        run=items.update_knowledge,
        read_only=False,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        name="delete_knowledge",
        title="Delete knowledge",
        description="Take an item out of every list and search. History is kept.",
        scope=Scope.WRITE,
        arguments=arguments.GetArguments,
        answer=wire.DeleteAnswer,
        run=items.delete_knowledge,
        read_only=False,
        destructive=True,
        idempotent=True,
    ),
)

RETRIEVAL_TOOLS = (
    Tool(
        name="semantic_search",
        title="Semantic search",
        description="Find items by meaning: above 0.5 similarity is mostly right, below 0.3 hardly "
        "ever. Shows whole contents; max_content_chars shortens them.",
        scope=Scope.READ,
        arguments=arguments.SearchArguments,
        answer=wire.SearchAnswer,
        run=items.semantic_search,
        read_only=True,
        returns_knowledge=True,
    ),
    Tool(
        name="generate_embeddings",
        title="Generate embeddings",
        description="Embed items without an embedding, or with force all anew. Rarely needed: "
        "items are embedded when captured.",
        scope=Scope.WRITE,
        arguments=arguments.EmbeddingArguments,
        answer=wire.EmbeddingAnswer,
        run=items.generate_embeddings,
        read_only=False,
        idempotent=True,
        deadline_seconds=_AN_HOUR,
    ),
    Tool(
        name="tiered_retrieval",
        title="Tiered retrieval",
        description="What a project knows about a matter: by meaning and use, spread over types or "
        "projects, within a token budget. max_content_chars shortens contents.",
        scope=Scope.READ,
        arguments=arguments.TieredArguments,
        answer=wire.TieredAnswer,
        run=items.tiered_retrieval,
        read_only=True,
        returns_knowledge=True,
    ),
)

LEARNING_TOOLS = (
    Tool(
        name="auto_detect",
        title="Auto detect",
        description="Whether a text holds something worth keeping, how surely, and of which type.",
        scope=Scope.READ,
        arguments=learning_wire.DetectArguments,
        answer=learning_wire.DetectAnswer,
        run=learning.auto_detect,
        read_only=True,
    ),
    Tool(
        name="analyze_sentiment",
        title="Analyze sentiment",
        description="The tone of a text, sentence by sentence, and where it turns.",
        scope=Scope.READ,
        arguments=learning_wire.SentimentArguments,
        answer=learning_wire.SentimentAnswer,
        run=learning.analyze_sentiment,
        read_only=True,
    ),
    Tool(
        name="evaluate_confidence",
        title="Evaluate confidence",
        description="How surely a text is worth keeping, and from which factors the score comes.",
        scope=Scope.READ,
        arguments=learning_wire.ConfidenceArguments,
        answer=learning_wire.ConfidenceAnswer,
        run=learning.evaluate_confidence,
        read_only=True,
    ),
    Tool(
        name="record_feedback",
        title="Record feedback",
        description="Say whether a detection was right; enough of it moves the weights.",
        scope=Scope.WRITE,
        arguments=learning_wire.RecordFeedbackArguments,
        answer=learning_wire.RecordAnswer,
        run=learning.record_feedback,
        read_only=False,
    ),
    Tool(
        name="auto_capture",
        title="Auto capture",
        description="Find what is worth keeping in a text; flags it for review, or saves it with "
        "auto_save. Secrets are removed, and what is known is not captured again.",
        scope=Scope.WRITE,
        arguments=learning_wire.AutoCaptureArguments,
        answer=None,
        run=capturing.auto_capture,
        read_only=False,
    ),
    Tool(
        name="provide_feedback",
        title="Provide feedback",
        description="Confirm, reject (which deletes) or mark for editing an item, or a moment that "
        "auto_capture flagged for review.",
        scope=Scope.WRITE,
        arguments=learning_wire.ProvideFeedbackArguments,
        answer=None,
        run=capturing.provide_feedback,
        read_only=False,
        destructive=True,
    ),
)

INSTITUTIONAL = Surface(
    name="institutional",
    tools=(*ITEM_TOOLS, *RETRIEVAL_TOOLS, *LEARNING_TOOLS),
    resources=(),
    fault=fault,
)
