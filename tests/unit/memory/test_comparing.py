"""What says the same, what seems to contradict, and what is only near it."""

from __future__ import annotations

import pytest

from commonplace.memory.comparing import contradiction, says_the_same
from commonplace.memory.trust import trust

KNOWN = "The storefront purges its CDN keys within 30 seconds of a price change."


@pytest.mark.parametrize(
    "new",
    [
        "The storefront purges its CDN keys within 60 seconds of a price change.",
        "The storefront never purges its CDN keys within 30 seconds of a price change.",
        "The storefront purges its CDN keys 30 seconds before a price change, not after it.",
        "The warehouse purges its CDN keys within 30 seconds of a price change.",
    ],
)
def test_other_values_and_turned_statements_are_noticed(new: str) -> None:
    found = contradiction(new, KNOWN)
    assert found
    assert found.reason


@pytest.mark.parametrize(
    "new",
    [
        KNOWN,
        "Keys are rotated every quarter.",
        "The storefront shows prices in three currencies.",
        "The price change job runs at night on the second replica, and writes a report.",
    ],
)
def test_what_is_about_something_else_is_left_alone(new: str) -> None:
    assert contradiction(new, KNOWN) is None


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("The default timeout is 30s.", "The default timeout is 10s."),
        ("Python 3.12 is required for the backend.", "The backend requires Python 3.11."),
        ("A pull request needs 1 approval.", "Pull requests require two approvals."),
        ("Logs are kept for 14 days.", "We keep logs for 30 days."),
        ("Sessions on phones expire after 90 days.", "Phone sessions end after 30 days."),
        ("The billing service is owned by Bob.", "Alice owns the billing service."),
        ("Passwords are hashed with argon2id.", "Passwords are hashed with bcrypt."),
        ("Use tabs for indentation.", "Use spaces for indentation."),
        ("Staging deploys are manual.", "Staging deploys are automatic."),
        ("The release is on Monday, 3 March.", "The release is on Friday, 7 March."),
        ("The tests no longer need Docker.", "The tests need Docker."),
        ("Never force push to release branches.",
         "Lint first. Force push to release branches when a rebase is needed."),
    ],
)  # fmt: skip
def test_another_value_is_noticed_however_the_sentence_is_built(new: str, known: str) -> None:
    for one, other in ((new, known), (known, new)):
        assert not says_the_same(one, other)
        assert contradiction(one, other)


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("The orders service listens on port 8081.", "The billing service listens on port 8080."),
        ("The frontend is written in TypeScript.", "The backend is written in Go."),
        ("EU customers pay 19% VAT.", "UK customers pay 20% VAT."),
        ("The staging database has 2 replicas.", "The production database has 3 replicas."),
        ("The timeout is 5 seconds in dev.", "The timeout is 30 seconds in production."),
        ("Sprint 12 ends on 4 April.", "Sprint 13 ends on 18 April."),
        ("Deploy 0: took 3 minutes, no errors.", "Deploy 3: took 6 minutes, no errors."),
        ("Monday: fixed the login bug, 3 tests added.",
         "Tuesday: fixed the logout bug, 5 tests added."),
        ("Do not edit generated files in src/gen.",
         "Generated files live in src/gen and are committed."),
        ("The parser does not handle comments.", "The parser handles nested lists and tables."),
        ("Never log card numbers.", "Log the request id of every call."),
        ("GET /orders gives 404 for deleted orders.", "GET /carts gives 410 for deleted carts."),
        ("The nightly backup runs at 01:00 UTC.", "The nightly reindex runs at 02:15 UTC."),
        ("Customer ACME wants invoices in PDF.", "Customer Globex wants invoices in XML."),
        ("Use `make lint` before committing.", "Use `make test` before pushing."),
    ],
)  # fmt: skip
def test_another_service_environment_or_time_is_left_alone(new: str, known: str) -> None:
    for one, other in ((new, known), (known, new)):
        assert contradiction(one, other) is None


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("We moved from Heroku to Fly.io.", "The app is deployed on Heroku."),
        ("Background jobs: we replaced Celery with Dramatiq.", "Jobs run on Celery."),
        ("Black was replaced by ruff format.", "Format code with black."),
        ("We no longer use Jenkins.", "Every build runs on Jenkins."),
        ("Use ruff, not black.", "We use black."),
        ("We use black.", "Use ruff, not black."),
        ("Format with ruff instead of black.", "We use black for formatting."),
        ("Tests run with pytest rather than with unittest.", "Run tests: unittest, from the root."),
        ("Deploys go to Fly, no longer Heroku.", "Every deploy goes to Heroku at noon."),
        ("we use MySQL, not PostgreSQL, in the shop", "We use PostgreSQL 16 with pgvector."),
        ("We chose Kafka over RabbitMQ.", "The event bus runs on RabbitMQ."),
        ("We chose RabbitMQ over Kafka.", "We chose Kafka over RabbitMQ."),
        ("We decided to use Kafka instead of RabbitMQ because we need replay.",
         "We decided to use RabbitMQ instead of Kafka for the event bus."),
    ],
)  # fmt: skip
def test_another_choice_contradicts_the_one_that_it_drops(new: str, known: str) -> None:
    found = contradiction(new, known)
    assert found
    assert "chooses something else over" in found.reason


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("Use ruff, not black.", "Ruff took the place of black."),
        ("Use ruff, not black.", "Ruff rather than black or flake8."),
        ("Use ruff, not black.", "Black text on the start page is hard to read."),
        ("Black was replaced by ruff.", "Black text on the start page is hard to read."),
        ("We moved the cache from left to right.", "Left joins are slow here."),
        ("We chose Kafka over RabbitMQ.", "Kafka rather than RabbitMQ: we need replay."),
        ("He picked the lock over night.", "At night the lock is held by the job."),
        ("Do not run migrations on Fridays.", "Run migrations with alembic."),
        ("Answer within a day, not at once.", "We use black."),
        ("A resource is attached, not owned. One table has a row for each folder.",
         "Files are read in a child process. Each process is owned by one folder."),
        ("Vectors moved from files to tables. Searches read both.",
         "Searches read the index first. Large files are cut."),
    ],
)  # fmt: skip
def test_a_choice_leaves_alone_what_knows_of_it_or_has_another_matter(new: str, known: str) -> None:
    assert contradiction(new, known) is None


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("Always call flush inside the import loop.", "Never call flush inside the import loop."),
        ("Call flush inside the import loop.", "Never call flush inside the import loop."),
        ("Never call flush inside the import loop.", "Call flush inside the import loop."),
        ("Use the blue bucket for logs of the east", "Use the blue bucket for logs of the north"),
        ("Bob reviews every change of the billing tables.",
         "Alice reviews every change of the billing tables."),
    ],
)  # fmt: skip
def test_the_word_at_either_end_of_a_short_text_may_be_all_that_it_says(
    new: str, known: str
) -> None:
    assert not says_the_same(new, known)
    assert not says_the_same(new, f"Title\n{known}")
    assert contradiction(new, known)


@pytest.mark.parametrize(
    "known",
    [
        "The importer reads in batches of five hundred. It never waits for the index.",
        "Import\nThe importer reads in batches of five hundred; not more fit into one statement.",
    ],
)
def test_what_stands_in_a_longer_text_is_known(known: str) -> None:
    assert says_the_same("The importer reads in batches of five hundred.", known)


def test_the_same_in_other_letters_is_the_same_and_a_new_number_is_not() -> None:
    assert says_the_same(KNOWN.upper().replace(".", " !"), KNOWN)
    assert not says_the_same(KNOWN.replace("30", "60"), KNOWN)


def test_a_number_in_words_is_the_number() -> None:
    assert says_the_same("The crane lifts nine tons of coal.", "The crane lifts 9 tons of coal.")
    assert contradiction("The crane lifts nine tons.", "The crane lifts 9 tons.") is None
    found = contradiction("The crane lifts Nine tons.", "The crane lifts twelve tons.")
    assert found
    assert found.reason == "it says 'twelve' where this says 'nine'"


def test_opposites_are_named() -> None:
    one = contradiction("Retries are disabled in the payment client.",
                        "Retries are enabled in the payment client.")  # fmt: skip
    assert one is not None
    assert one.reason == "it says 'enabled' where this says 'disabled'"


def test_trust_moves_with_voices_and_stays_within_bounds() -> None:
    assert trust(0.8, {}) == 0.8
    assert trust(0.8, {"a": True}) > 0.8 > trust(0.8, {"a": False})
    many = dict.fromkeys(map(str, range(1000)), True)
    assert trust(0.8, many) <= 1
    assert trust(0.8, dict.fromkeys(many, False)) >= 0
