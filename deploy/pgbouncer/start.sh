#!/bin/sh
# pgbouncer in front of one PostgreSQL server, given by DATABASE_HOST, DATABASE_USER and DATABASE_PASSWORD.
set -eu
folder=$(mktemp -d)
printf '"%s" "%s"\n' "$DATABASE_USER" "$DATABASE_PASSWORD" > "$folder/userlist.txt"
sed -e "s|host=127.0.0.1|host=$DATABASE_HOST|" \
    -e "s|listen_port = 6432|listen_port = ${LISTEN_PORT:-6432}|" \
    -e "s|/etc/pgbouncer/userlist.txt|$folder/userlist.txt|" \
    "${CONFIGURATION:-/etc/commonplace/pgbouncer.ini}" > "$folder/pgbouncer.ini"
exec pgbouncer "$folder/pgbouncer.ini"
