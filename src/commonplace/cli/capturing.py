"""`commonplace review` and `weights`: decisions on captured moments, and what feedback taught."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from commonplace.capture.finding import DEFAULT_THRESHOLD
from commonplace.capture.report import Action, FeedbackOutcome
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import command_session
from commonplace.model.capture import Review, ReviewStatus
from commonplace.text.plural import plural


@click.group("review")
def review_command() -> None:
    """Review the moments that auto_capture flagged."""


@review_command.command("list", cls=Command)
@click.option(
    "--status",
    type=click.Choice([status.value for status in ReviewStatus]),
    default=ReviewStatus.WAITING.value,
    show_default=True,
)
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True)
@json_option
def list_reviews(status: str, limit: int, offset: int, as_json: bool) -> None:
    """List moments, newest first."""
    with command_session() as session:
        reviews, total = session.application.reviewing.reviews(
            session.actor, ReviewStatus(status), limit, offset
        )
    document = {"reviews": [_document(review) for review in reviews], "total": total}
    lines = [_line(review) for review in reviews] + [f"{len(reviews)} of {total} {status}"]
    emit(document, "\n".join(lines), as_json=as_json)


@review_command.command("show", cls=Command)
@click.argument("id")
@json_option
def show_review(id: str, as_json: bool) -> None:
    """Show a moment."""
    with command_session() as session:
        review = session.application.reviewing.review(session.actor, session.review_id(id))
    kept = review.moment
    about = f"{review.status.value}, {kept.get('type', 'forgotten')}, by {review.agent}"
    text = kept.get("content", "It was rejected: its text is forgotten.")
    emit(
        _document(review),
        "\n".join([_line(review), about, review.reason, "", text]),
        as_json=as_json,
    )


@review_command.command("confirm", cls=Command)
@click.argument("id")
@click.option("--comment", help="Why.")
@json_option
def confirm_review(id: str, comment: str | None, as_json: bool) -> None:
    """Keep a moment: it becomes an item."""
    id, judged = _judge(id, Action.CONFIRM, comment)
    document = {"id": id, "action": "confirm", "item_id": judged.item_id}
    emit(document, f"Kept as {judged.item_id}", as_json=as_json)


@review_command.command("reject", cls=Command)
@click.argument("id")
@click.option("--comment", help="Why.")
@json_option
def reject_review(id: str, comment: str | None, as_json: bool) -> None:
    """Drop a moment: it is not flagged again, and its text is erased a day later."""
    id, _ = _judge(id, Action.REJECT, comment)
    emit({"id": id, "action": "reject", "item_id": None}, f"Dropped {id}", as_json=as_json)


@review_command.command("reopen", cls=Command)
@click.argument("id")
@json_option
def reopen_review(id: str, as_json: bool) -> None:
    """Undo a decision: the moment waits again, and the item that it became is deleted."""
    with command_session() as session:
        review = session.application.reviewing.reopen(session.actor, session.review_id(id))
    emit(_document(review), f"{review.id} waits again", as_json=as_json)


@click.command("weights", cls=Command)
@click.option("--reset", is_flag=True, help="Reset to the initial weights.")
@json_option
def weights_command(reset: bool, as_json: bool) -> None:
    """Show the weights of the confidence score, and the feedback that changed them."""
    with command_session() as session:
        learning = session.application.learning
        unlearned = learning.unlearn(session.actor) if reset else 0
        learned = learning.learned(session.actor)
    weights, defaults = asdict(learned.weights), asdict(learned.defaults)
    moved = learned.moved(DEFAULT_THRESHOLD)
    document = {
        "weights": weights,
        "defaults": defaults,
        "threshold": asdict(moved) if moved else None,
        "feedback": asdict(learned.teaching),
        "factors": [asdict(evidence) for evidence in learned.factors],
        "unlearned": unlearned,
    }
    lines = [f"{name:12} {weights[name]:.3f}  (starts at {defaults[name]:.2f})" for name in weights]
    lines += [f"learned from {_pieces(learned.teaching.total)}"]
    lines += [
        f"  {factor.factor}: {factor.confirmed} confirmed, {factor.rejected} rejected"
        for factor in learned.factors
    ]
    if moved:
        lines.append(moved.told)
    if reset:
        lines.append(f"{_pieces(unlearned)} no longer counted")
    emit(document, "\n".join(lines), as_json=as_json)


def _pieces(count: int) -> str:
    return plural(count, "piece of feedback", "pieces of feedback")


def _judge(given: str, action: Action, comment: str | None) -> tuple[str, FeedbackOutcome]:
    """The id of the moment, and the outcome of the decision."""
    with command_session() as session:
        id = session.application.reviewing.review(session.actor, session.review_id(given)).id
        return id, session.application.reviewing.judge(session.actor, id, action, comment)


def _document(review: Review) -> dict[str, Any]:
    return {
        "id": review.id,
        "status": review.status.value,
        "agent": review.agent,
        "confidence": review.confidence,
        "level": review.level,
        "reason": review.reason,
        "moment": dict(review.moment),
        "created_at": review.created_at.isoformat(),
        "decided_at": review.decided_at.isoformat() if review.decided_at else None,
        "decided_by": review.decided_by,
        "item_id": review.entry_id,
    }


def _line(review: Review) -> str:
    summary = review.moment.get("summary", "(forgotten)")
    return f"{review.id}  {review.confidence:.0%}  {summary}"
