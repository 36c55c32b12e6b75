"""Skills and units that are good as they are, to be spoiled or varied by tests."""

from __future__ import annotations

from typing import Any

STEP_TYPES = ("thought", "tool_call", "observation", "tool_call", "observation")
BODY = """\
# How to review

1. Read the description of the change.
2. Run the tests.
3. Read every changed line.

## Afterwards

- Say what is good.
- Say what has to change, and why.
"""


def skill_text(
    name: str = "Code Review Checklist",
    description: str = "How to review a change before it is merged.",
    body: str = BODY,
    front_matter: str = "",
) -> str:
    extra = f"{front_matter}\n" if front_matter else ""
    return f"---\nname: {name}\ndescription: {_quoted(description)}\n{extra}---\n{body}"


def thorough_skill(name: str = "Code Review Checklist", **given: str) -> str:
    """With everything that a skill is valued for."""
    front = "tags: [code-review, best-practices]\nkp:\n  domain: software-engineering"
    return skill_text(name, front_matter=front, **given)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def steps(types: tuple[str, ...] = STEP_TYPES, tools: tuple[str, ...] = ("grep", "editor")) -> Any:
    """Steps of these types; the calls among them use the tools in turn."""
    made: list[dict[str, Any]] = []
    for number, kind in enumerate(types):
        step: dict[str, Any] = {
            "step_id": number,
            "type": kind,
            "content": f"Look at part {number}.",
        }
        if kind == "tool_call" and tools:
            step["tool"] = {"name": tools[len([s for s in made if "tool" in s]) % len(tools)]}
        made.append(step)
    return made


def metadata(domain: str = "code-review", **given: Any) -> dict[str, Any]:
    return {"task_domain": domain, "success": True, **given}


def trace(
    objective: str = "Find the leak in the connection pool",
    domain: str = "code-review",
    confidence: float = 0.95,
    **given: Any,
) -> dict[str, Any]:
    return {
        "@type": "ReasoningTrace",
        "metadata": metadata(domain),
        "task": {"objective": objective},
        "steps": steps(),
        "outcome": {"result_summary": "The pool is closed again.", "confidence": confidence},
        **given,
    }


def pattern(name: str = "Search before reading", **given: Any) -> dict[str, Any]:
    return {
        "@type": "ToolCallPattern",
        "metadata": metadata(),
        "name": name,
        "description": "Narrow the files down by a search, then open the few that are left.",
        "trigger_conditions": {"task_types": ["debugging"]},
        "tool_sequence": [
            {"step": 1, "execution": "sequential", "tools": [{"name": "grep"}]},
            {"step": 2, "execution": "parallel", "tools": [{"name": "read"}]},
        ],
        "performance": {"avg_ms": 120, "success_rate": 0.95, "uses": 40},
        **given,
    }


def sop(name: str = "Incident triage", **given: Any) -> dict[str, Any]:
    return {
        "@type": "ExpertSOP",
        "metadata": metadata("operations"),
        "name": name,
        "domain": "operations",
        "source": {"type": "human_expert", "expert_id": "e-1", "credentials": ["SRE"]},
        "decision_tree": [
            {"step": "1", "instruction": "Look at the graphs.", "criteria": {"errors": "> 1 %"}},
            {
                "step": "2",
                "instruction": "Roll back.",
                "conditions": {"recent deploy": {"action": "roll back", "sla_min": 15}},
            },
            {"step": "3", "instruction": "Tell the team.", "criteria": {"users hit": "any"}},
        ],
        "validation": {"test_cases": [{"input": "a spike", "expected_output": "a rollback"}]},
        **given,
    }
