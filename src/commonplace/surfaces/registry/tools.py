"""The six tools of the `registry` dialect, and skills as resources."""

from __future__ import annotations

from commonplace.application import Application
from commonplace.model.activity import search_delivery
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.entry import Visibility
from commonplace.registry.service.contributions import skill_text
from commonplace.registry.values import RegistryQuery
from commonplace.surfaces.answers import references_of
from commonplace.surfaces.elsewhere import hint_if_elsewhere
from commonplace.surfaces.registry import wire
from commonplace.surfaces.registry.faults import fault
from commonplace.surfaces.registry.units import checked_unit
from commonplace.surfaces.tool import ListedResource, ResourceKind, Surface, Tool

SKILL_URI = "commonplace://skill/{id}"
_COMPLETED_FROM = 1_000  # the newest skills


def search_skill(
    application: Application, actor: Actor, given: wire.SearchSkillArguments, call: Call
) -> wire.SkillsAnswer:
    wanted = RegistryQuery(
        query=given.query,
        limit=given.limit,
        min_quality=given.min_quality,
        domain=given.domain,
        tags=given.tags or (),
    )
    skills = application.registry.search_skills(actor, wanted, call=call)
    call.record_delivery(search_delivery(given.query, references_of(skills)))
    return wire.skills_answer(skills)


def search_knowledge(
    application: Application, actor: Actor, given: wire.SearchKnowledgeArguments, call: Call
) -> wire.UnitsAnswer:
    wanted = RegistryQuery(
        query=given.query,
        limit=given.limit,
        min_quality=given.min_quality,
        domain=given.domain,
        types=given.types or (),
        schema_version=given.schema_version,
    )
    units = application.registry.search_units(actor, wanted, call=call)
    call.record_delivery(search_delivery(given.query, references_of(units)))
    return wire.units_answer(units)


def contribute_skill(
    application: Application, actor: Actor, given: wire.ContributeSkillArguments, call: Call
) -> wire.SkillAnswer:
    visibility = Visibility(given.visibility) if given.visibility else None
    done = application.registry.contribute_skill(
        actor, given.skill_md_content, visibility, call=call
    )
    return wire.skill_answer(done)


def contribute_knowledge(
    application: Application, actor: Actor, given: wire.ContributeKnowledgeArguments, call: Call
) -> wire.UnitAnswer:
    done = application.registry.contribute_unit(
        actor, checked_unit(given.unit), Visibility(given.visibility), call=call
    )
    return wire.unit_answer(done)


def validate_unit(
    application: Application, actor: Actor, given: wire.ValidateArguments, call: Call
) -> wire.ValidateAnswer:
    with hint_if_elsewhere(application, actor, given.unit_id):
        application.verdicts.validate(
            actor, given.unit_id, valid=given.valid, feedback=given.feedback or "", call=call
        )
    return wire.ValidateAnswer()


def reputation_query(
    application: Application, actor: Actor, given: wire.ReputationArguments, _call: Call
) -> wire.ReputationAnswer:
    return wire.reputation_answer(application.verdicts.reputation(actor, given.agent_id))


def read_skill(application: Application, actor: Actor, id: str) -> str:
    with hint_if_elsewhere(application, actor, id):
        return skill_text(application.registry.skill(actor, id))


def list_skills(
    application: Application, actor: Actor, limit: int, offset: int
) -> list[ListedResource]:
    return [
        ListedResource(
            uri=SKILL_URI.format(id=entry.id),
            name=entry.content.title,
            description=entry.content.attributes["description"],
        )
        for entry in application.registry.skills(actor, limit, offset)
    ]


def complete_skill(application: Application, actor: Actor, begun: str) -> list[str]:
    ids = (entry.id for entry in application.registry.skills(actor, _COMPLETED_FROM, 0))
    return [id for id in ids if id.startswith(begun)]


TOOLS = (
    Tool(
        name="kp_search_skill",
        title="Search skills",
        description="Find skills (SKILL.md instructions for a kind of task) by meaning and by "
        "words, best first.",
        scope=Scope.READ,
        arguments=wire.SearchSkillArguments,
        answer=wire.SkillsAnswer,
        run=search_skill,
        read_only=True,
        returns_knowledge=True,
    ),
    Tool(
        name="kp_search_knowledge",
        title="Search knowledge units",
        description="Find reasoning traces, tool-call patterns and expert procedures of agents. "
        "What peers found invalid is left out.",
        scope=Scope.READ,
        arguments=wire.SearchKnowledgeArguments,
        answer=wire.UnitsAnswer,
        run=search_knowledge,
        read_only=True,
        returns_knowledge=True,
    ),
    Tool(
        name="kp_contribute_skill",
        title="Contribute a skill",
        description="Share a SKILL.md: YAML front matter with name and description, then Markdown. "
        "The same name again makes a new version. Unsafe text is refused or flagged.",
        scope=Scope.WRITE,
        arguments=wire.ContributeSkillArguments,
        answer=wire.SkillAnswer,
        run=contribute_skill,
        read_only=False,
    ),
    Tool(
        name="kp_contribute_knowledge",
        title="Contribute a knowledge unit",
        description="Share a reasoning trace, tool-call pattern or expert procedure. Its quality "
        "is computed from its content.",
        scope=Scope.WRITE,
        arguments=wire.ContributeKnowledgeArguments,
        answer=wire.UnitAnswer,
        run=contribute_knowledge,
        read_only=False,
    ),
    Tool(
        name="kp_validate_unit",
        title="Validate a knowledge unit",
        description="Say whether another agent's unit holds. Verdicts move its quality; three "
        "agents of an org that find it invalid hide it there.",
        scope=Scope.WRITE,
        arguments=wire.ValidateArguments,
        answer=wire.ValidateAnswer,
        run=validate_unit,
        read_only=False,
        idempotent=True,
    ),
    Tool(
        name="kp_reputation_query",
        title="Query a reputation",
        description="How far an agent's contributions and verdicts are trusted, from 0 to 1.",
        scope=Scope.READ,
        arguments=wire.ReputationArguments,
        answer=wire.ReputationAnswer,
        run=reputation_query,
        read_only=True,
    ),
)

REGISTRY = Surface(
    name="registry",
    tools=TOOLS,
    resources=(
        ResourceKind(
            name="skill",
            title="Skill",
            description="A skill's SKILL.md, to be followed for the kind of task it is about.",
            template=SKILL_URI,
            aliases=(),
            scope=Scope.READ,
            read=read_skill,
            media_type="text/markdown",
            page=list_skills,
            complete=complete_skill,
        ),
    ),
    fault=fault,
)
