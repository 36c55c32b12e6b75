#!/bin/sh
# Run once by the image, when the database is created: lets a standby follow. From the next start on, every
# commit waits until STANDBY_NAME has it.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" -v standby="$STANDBY_NAME" \
  --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE replicator REPLICATION LOGIN PASSWORD :'password';
ALTER SYSTEM SET synchronous_standby_names = :'standby';
SQL
echo "host replication replicator all scram-sha-256" >> "$PGDATA/pg_hba.conf"
