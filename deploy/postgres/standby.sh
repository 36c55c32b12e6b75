#!/bin/bash
# Copies the primary at the first start, then follows it until `pg_ctl promote`.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  primary="host=$PRIMARY_HOST user=replicator password=$POSTGRES_PASSWORD application_name=$HOSTNAME"
  until pg_basebackup -d "$primary" -R -X stream -c fast -D "$PGDATA"; do
    rm -rf "${PGDATA:?}"/*
    sleep 2
  done
  chmod 700 "$PGDATA"
  # The copied setting names this server itself, which has no standby to wait for once it is the primary.
  echo "synchronous_standby_names = ''" >> "$PGDATA/postgresql.auto.conf"
fi
exec "$@"
