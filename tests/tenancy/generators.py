"""Arguments for every tool of every surface, and for what happens beside the tools.

A tool without a generator here fails the test: whoever adds one says how it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from commonplace.model.actor import Scope
from tests.tenancy.steps import AGENTS, Reach, Shape
from tests.tenancy.writing import CHOSEN_ITEM_IDS, TOKEN, TOKENS, Scene
from tests.unit.registry.samples import metadata, pattern, skill_text, sop, trace

Generator = Callable[[Scene], dict[str, Any]]

# What no tool does: sources come over REST and the command line, resources by their URI.
ADD_SOURCE, REMOVE_SOURCE, REFRESH_SOURCE = "source add", "source remove", "source refresh"
READ_RESOURCE, LIST_RESOURCES, WORK = "resource read", "resource list", "work"
MEMORY_FILE = "memory"
_TYPES = ("solution", "pattern", "gotcha", "win", "troubleshooting")
_WORKSPACE_ACTIONS = ("record_entry", "record_entry", "search", "get", "status", "code_map", "help")
_DOMAINS = ("code-review", "operations")
_FILES = ("/memories/a.md", "/memories/b/c.md", "/memories/b/d.md", "/memories/notes")
_RESOURCES = {Shape.NOTE: "commonplace://knowledge/", Shape.SKILL: "commonplace://skill/"}


def store_knowledge(scene: Scene) -> dict[str, Any]:
    scene.leaves(Shape.NOTE, Reach.ORG)
    given = {"title": scene.name(), "body": scene.text(), "tags": scene.tags()}
    return given | ({TOKEN: scene.random.choice(TOKENS)} if scene.chance(0.2) else {})


def search_knowledge(scene: Scene) -> dict[str, Any]:
    return {
        "query": scene.query(),
        "tags": scene.tags(),
        "limit": scene.random.choice((1, 5, 50)),
        "includeSuperseded": scene.chance(0.3),
    }


def supersede_knowledge(scene: Scene) -> dict[str, Any]:
    return {"oldId": scene.ref(Shape.NOTE), "newId": scene.ref(Shape.NOTE)}


def capture_knowledge(scene: Scene) -> dict[str, Any]:
    project = scene.project()
    chosen = scene.random.choice(CHOSEN_ITEM_IDS) if scene.chance(0.3) else None
    scene.leaves(Shape.ITEM, Reach.ORG, id=chosen, project=project)
    return {
        "summary": scene.name(),
        "content": scene.text(),
        "type": scene.random.choice(_TYPES),
        "project": project,
        "file_context": f"{scene.words(1)}.py",
        "tags": scene.tags(),
        "id": chosen,
    }


def get_knowledge(scene: Scene) -> dict[str, Any]:
    return {"id": scene.ref(Shape.ITEM)}


def list_knowledge(scene: Scene) -> dict[str, Any]:
    return _item_filter(scene) | {"limit": scene.random.choice((1, 10, 100))}


def update_knowledge(scene: Scene) -> dict[str, Any]:
    return {"id": scene.ref(Shape.ITEM), "summary": scene.words(3)}


def semantic_search(scene: Scene) -> dict[str, Any]:
    return {"query": scene.query(), "limit": 20, **_item_filter(scene)}


def generate_embeddings(scene: Scene) -> dict[str, Any]:
    return {"force": scene.chance(0.3), "batch_size": scene.random.choice((1, 50))}


def tiered_retrieval(scene: Scene) -> dict[str, Any]:
    given: dict[str, Any] = {
        "query": scene.query() if scene.chance(0.9) else "",
        "tier3": scene.chance(0.5),
        "tier2_options": {"threshold": 0},
    }
    return given | ({"project": scene.project()} if scene.chance(0.4) else {})


def analysed(scene: Scene) -> dict[str, Any]:
    return {"text": _moment(scene.words())}


def record_feedback(scene: Scene) -> dict[str, Any]:
    verdict = scene.random.choice(("confirm", "reject"))
    factors = scene.random.sample(("pattern", "sentiment"), k=1)
    return {"id": f"d-{scene.number}", "feedback": verdict, "confidence": 0.5, "factors": factors}


def auto_capture(scene: Scene) -> dict[str, Any]:
    saves = scene.chance(0.5)
    scene.leaves(Shape.ITEM if saves else Shape.REVIEW, Reach.ORG)
    return {
        "text": _moment(scene.text()),
        "auto_save": saves,
        "threshold": 0.2,
        "preset": "aggressive",
    }


def provide_feedback(scene: Scene) -> dict[str, Any]:
    action = scene.random.choice(("confirm", "reject", "modify"))
    return {"item_id": scene.ref(Shape.REVIEW, Shape.ITEM), "action": action}


def document_search(scene: Scene) -> dict[str, Any]:
    return {"query": scene.query(), "limit": 50, **_reach(scene)}


def document_list(scene: Scene) -> dict[str, Any]:
    return _reach(scene)


def document_get(scene: Scene) -> dict[str, Any]:
    return {"sourceId": scene.ref(Shape.SOURCE)}


def search_skill(scene: Scene) -> dict[str, Any]:
    given: dict[str, Any] = {"query": scene.query() if scene.chance(0.8) else "", "min_quality": 0}
    return given | {"limit": 20} | ({"tags": scene.tags()} if scene.chance(0.3) else {})


def search_units(scene: Scene) -> dict[str, Any]:
    given: dict[str, Any] = {"query": scene.query() if scene.chance(0.8) else "", "min_quality": 0}
    if scene.chance(0.3):
        given["domain"] = scene.random.choice(_DOMAINS)
    return given | {"limit": 10}


def contribute_skill(scene: Scene) -> dict[str, Any]:
    """Few names, so that there are versions, and the same names in several orgs."""
    reach = scene.reach()
    scene.leaves(Shape.SKILL, reach)
    name = f"Guide to {scene.random.choice(('harvest', 'lantern'))}"
    body = f"# How\n\n1. {scene.text()}\n2. Done.\n"
    text = skill_text(name, scene.words(4), body, "tags: [shared-tag]")
    return {"skill_md_content": text, "visibility": reach.value}


def contribute_knowledge(scene: Scene) -> dict[str, Any]:
    reach = scene.reach()
    scene.leaves(Shape.UNIT, reach)
    make = scene.random.choice((trace, pattern, sop))
    unit = make(scene.text(), metadata=metadata(scene.random.choice(_DOMAINS)))
    return {"unit": unit, "visibility": reach.value}


def validate_unit(scene: Scene) -> dict[str, Any]:
    return {"unit_id": scene.ref(Shape.UNIT), "valid": scene.chance(0.6), "feedback": scene.words()}


def reputation_query(scene: Scene) -> dict[str, Any]:
    """Mostly of colleagues: what they keep private is the nearest to leak."""
    others = [agent for agent in AGENTS if agent != scene.agent and Scope.WRITE in agent.scopes]
    colleagues = [agent.name for agent in others if agent.org == scene.agent.org]
    asked = colleagues if colleagues and scene.chance(0.7) else [a.name for a in AGENTS]
    return {"agent_id": scene.random.choice([*asked, "nobody"])}


def pm_knowledge(scene: Scene) -> dict[str, Any]:
    """What is attached to everybody of the org; few names of records, which orgs share."""
    action = scene.random.choice(_WORKSPACE_ACTIONS)
    if action in ("search", "code_map"):
        return {"action": action, "scope": "all", "query": scene.query()}
    if action in ("get", "status"):
        return {"action": action, "scope": scene.random.choice(("all", "global"))}
    if action == "help":
        return {"action": action}
    scene.leaves(Shape.RECORD, Reach.ORG)
    given = {"action": action, "scope": "global", "title": scene.words(3), "body": scene.text()}
    if scene.chance(0.5):
        notebook = {"entryType": "agent_knowledge", "mode": "append"}
        return given | notebook | {"agentHandle": scene.random.choice(("alice", "carol"))}
    record = {"entryType": "valdr_record_materialized", "mode": "create", "recordType": "task"}
    number = scene.random.randint(1, 3)
    return given | record | {"recordId": f"T-{number}", "recordVersion": scene.number}


def remember(scene: Scene) -> dict[str, Any]:
    project = scene.project()
    scene.leaves(Shape.NOTE, Reach.ORG, project=project)
    given = {"title": scene.name(), "text": scene.text(), "project": project, "anyway": True}
    return given | ({"tags": scene.tags()} if scene.chance(0.3) else {})


def revise(scene: Scene) -> dict[str, Any]:
    """No restore: what is hidden may have been changed by those who may not be seen."""
    action = scene.random.choice(("helped", "misled", "retag", "forget", "correct"))
    shape = scene.random.choice((Shape.NOTE, Shape.ITEM))
    given: dict[str, Any] = {"reference": scene.ref(shape), "action": action}
    given |= {"text": scene.words()} if action == "correct" else {}
    return given | ({"tags": ["shared-tag"]} if action == "retag" else {})


def trace_symbol(scene: Scene) -> dict[str, Any]:
    return {"symbol": scene.words(1), "ask": scene.random.choice(("callers", "impact", "docs"))}


def add_page(scene: Scene) -> dict[str, Any]:
    workspace, _ = scene.place()
    scene.leaves(Shape.SOURCE, Reach.ORG, place=(workspace, None))
    return {"into": workspace, "title": scene.name(), "text": scene.text()}


def recent(scene: Scene) -> dict[str, Any]:
    given: dict[str, Any] = {"since": "2y", "limit": 200}
    return given | ({"project": scene.project()} if scene.chance(0.3) else {})


def recall(scene: Scene) -> dict[str, Any]:
    given: dict[str, Any] = {"question": scene.query(), "budget": 4000, "limit": 20}
    return given | ({"project": scene.project()} if scene.chance(0.3) else {})


def open_reference(scene: Scene) -> dict[str, Any]:
    shapes = (Shape.NOTE, Shape.ITEM, Shape.SKILL, Shape.UNIT, Shape.SOURCE, Shape.REVIEW)
    return {"reference": scene.ref(scene.random.choice(shapes)), "history": scene.chance(0.3)}


def connector_search(scene: Scene) -> dict[str, Any]:
    return {"query": scene.query()}


def connector_fetch(scene: Scene) -> dict[str, Any]:
    return {"id": open_reference(scene)["reference"]}


def memory_file(scene: Scene) -> dict[str, Any]:
    """Few paths, which the agents of all orgs share; what a file holds, its org finds."""
    path, other = scene.random.sample(_FILES, k=2)
    command = scene.random.choice(("create", "create", "view", "str_replace", "rename", "delete"))
    if command == "create":
        scene.leaves(Shape.NOTE, Reach.ORG)
        return {"command": command, "path": path, "file_text": scene.text()}
    if command == "str_replace":
        words = scene.random.sample(("harvest", "lantern", "granite"), k=2)
        return {"command": command, "path": path, "old_str": words[0], "new_str": words[1]}
    if command == "rename":
        return {"command": command, "old_path": path, "new_path": other}
    return {"command": command, "path": path if scene.chance(0.6) else "/memories"}


def add_source(scene: Scene) -> dict[str, Any]:
    given = {"title": scene.name(), "text": scene.text()}
    if scene.chance(0.15):
        scene.leaves(Shape.SOURCE, Reach.EVERYONE)
        return given | {"scope": "system"}
    workspace, space = scene.place()
    scene.leaves(Shape.SOURCE, Reach.ORG, place=(workspace, space))
    return given | {"workspace": workspace, "space": space}


def touch_source(scene: Scene) -> dict[str, Any]:
    return {"id": scene.ref(Shape.SOURCE)}


def read_resource(scene: Scene) -> dict[str, Any]:
    shape = scene.random.choice(tuple(_RESOURCES))
    return {"scheme": _RESOURCES[shape], "id": scene.ref(shape)}


def nothing(_scene: Scene) -> dict[str, Any]:
    return {}


def _item_filter(scene: Scene) -> dict[str, Any]:
    given: dict[str, Any] = {"project": scene.project()} if scene.chance(0.4) else {}
    return given | ({"tags": scene.tags()} if scene.chance(0.3) else {})


def _reach(scene: Scene) -> dict[str, Any]:
    workspace, space = scene.place()
    return {"workspaceId": workspace} | ({"spaceId": space} if space else {})


def _moment(text: str) -> str:
    return (
        "The build kept failing for hours and I was stuck. Finally solved it: the fix was to "
        f"restart {text} before the import. It works now!"
    )


TOOLS: Mapping[str, Generator] = {
    "search": connector_search,
    "fetch": connector_fetch,
    MEMORY_FILE: memory_file,
    "open": open_reference,
    "recall": recall,
    "add": add_page,
    "recent": recent,
    "trace": trace_symbol,
    "remember": remember,
    "revise": revise,
    "store_knowledge": store_knowledge,
    "search_knowledge": search_knowledge,
    "supersede_knowledge": supersede_knowledge,
    "capture_knowledge": capture_knowledge,
    "get_knowledge": get_knowledge,
    "list_knowledge": list_knowledge,
    "update_knowledge": update_knowledge,
    "delete_knowledge": get_knowledge,
    "semantic_search": semantic_search,
    "generate_embeddings": generate_embeddings,
    "tiered_retrieval": tiered_retrieval,
    "auto_detect": analysed,
    "analyze_sentiment": analysed,
    "evaluate_confidence": analysed,
    "record_feedback": record_feedback,
    "auto_capture": auto_capture,
    "provide_feedback": provide_feedback,
    "knowledge.search": document_search,
    "knowledge.list": document_list,
    "knowledge.get": document_get,
    "kp_search_skill": search_skill,
    "kp_search_knowledge": search_units,
    "kp_contribute_skill": contribute_skill,
    "kp_contribute_knowledge": contribute_knowledge,
    "kp_validate_unit": validate_unit,
    "kp_reputation_query": reputation_query,
    "pm_knowledge": pm_knowledge,
}
BESIDES: Mapping[str, Generator] = {
    ADD_SOURCE: add_source,
    REMOVE_SOURCE: touch_source,
    REFRESH_SOURCE: touch_source,
    READ_RESOURCE: read_resource,
    LIST_RESOURCES: nothing,
}
GENERATORS = {**TOOLS, **BESIDES}
# What fills the store, and what shows it, comes more often than the rest.
OFTEN = {
    MEMORY_FILE: 3,
    "open": 3,
    "remember": 2,
    "store_knowledge": 5,
    "search_knowledge": 5,
    "capture_knowledge": 2,
    "semantic_search": 3,
    "kp_contribute_skill": 3,
    "kp_contribute_knowledge": 3,
    "kp_search_skill": 3,
    "kp_search_knowledge": 3,
    "kp_validate_unit": 3,
    "kp_reputation_query": 3,
    "list_knowledge": 2,
    "get_knowledge": 2,
    "pm_knowledge": 8,
    "tiered_retrieval": 2,
    LIST_RESOURCES: 2,
    ADD_SOURCE: 3,
    "knowledge.search": 3,
    READ_RESOURCE: 4,
    "delete_knowledge": 0.5,
    REMOVE_SOURCE: 0.3,
    REFRESH_SOURCE: 0.5,
}
