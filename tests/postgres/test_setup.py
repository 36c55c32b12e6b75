"""The first start on a database: what is made, what an administrator is asked for, who may race."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest

from commonplace.errors import SchemaTooNew, StorageSetupRequired
from commonplace.storage.migrations import migrations_of
from commonplace.storage.postgres.connections import OWNER, owned
from commonplace.storage.postgres.store import PostgresStore
from tests.generate import ALICE, entry_draft, put_chunk
from tests.stores import PostgresDatabases, SteppingClock

PACKAGE = "commonplace.storage.postgres"
USER = "plain user"


@pytest.fixture
def bare(postgres_databases: PostgresDatabases) -> str:
    postgres_databases.migrated()
    return postgres_databases.bare()


@pytest.fixture
def address_of_user(postgres_databases: PostgresDatabases, bare: str) -> str:
    """The database as somebody sees it who may only connect."""
    name = bare.partition("?")[0].rpartition("/")[2]
    postgres_databases.administer(
        f"""DO $$ BEGIN CREATE ROLE "{USER}" LOGIN;
            EXCEPTION WHEN duplicate_object THEN NULL; END $$""",
        f'REVOKE commonplace_owner, commonplace_app FROM "{USER}"',
        f'GRANT CONNECT ON DATABASE {name} TO "{USER}"',
    )
    return bare.replace("postgres:@", "plain%20user:@")


def test_an_unprivileged_user_is_told_what_to_ask_for(bare: str, address_of_user: str) -> None:
    with pytest.raises(StorageSetupRequired) as caught:
        PostgresStore(address_of_user, SteppingClock(), 1)
    commands = [line.strip() for line in caught.value.message.splitlines()[1:]]
    assert commands == [
        f'GRANT commonplace_owner, commonplace_app TO "{USER}";',
        "CREATE EXTENSION vector;",
        "CREATE SCHEMA commonplace AUTHORIZATION commonplace_owner;",
    ]
    with psycopg.connect(bare, autocommit=True) as administrator:
        for command in commands:
            administrator.execute(command.encode())
    store = PostgresStore(address_of_user, SteppingClock(), 1)
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
        put_chunk(tx, 1, "text")
    store.scrub()
    assert store.health().orgs == 1
    store.close()


def test_an_extension_elsewhere_is_found(bare: str) -> None:
    with psycopg.connect(bare, autocommit=True) as administrator:
        administrator.execute("CREATE SCHEMA extensions")
        administrator.execute("GRANT USAGE ON SCHEMA extensions TO PUBLIC")
        administrator.execute("CREATE EXTENSION vector SCHEMA extensions")
    store = PostgresStore(bare, SteppingClock(), 1)
    with store._session(ALICE, write=True) as session:
        session.expect_vectors("model", 8)
    store.close()


def test_several_first_starts_at_once(bare: str) -> None:
    together = Barrier(4)

    def start(_: int) -> int:
        together.wait()
        store = PostgresStore(bare, SteppingClock(), 1)
        version = store.health().schema_version
        store.close()
        return version

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(start, range(4))) == {migrations_of(PACKAGE)[-1].version}
    with owned(bare) as connection:
        rows = connection.execute(b"SELECT version, name FROM migrations").fetchall()
    assert [row["version"] for row in rows] == [m.version for m in migrations_of(PACKAGE)]


def test_everything_belongs_to_the_owner(address: str) -> None:
    with owned(address) as connection:
        owners = connection.execute(
            b"SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class "
            b"WHERE relnamespace = 'commonplace'::regnamespace "
            b"UNION SELECT DISTINCT pg_get_userbyid(proowner) FROM pg_proc "
            b"WHERE pronamespace = 'commonplace'::regnamespace"
        ).fetchall()
    assert owners == [{"owner": OWNER}]


def test_a_newer_schema_is_refused_when_opening_and_while_running(
    address: str, postgres: PostgresStore
) -> None:
    with postgres.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    with owned(address) as connection:
        connection.execute(b"INSERT INTO migrations (version, name) VALUES (9999, 'later')")
    with pytest.raises(SchemaTooNew, match="9999"), postgres.read(ALICE):
        pytest.fail("a newer schema was read")
    with pytest.raises(SchemaTooNew, match="9999"):
        PostgresStore(address, SteppingClock(), 1)
