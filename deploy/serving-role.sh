#!/bin/sh
# Run once, when the database is made: the role that the dashboard connects as. It owns nothing; db-migrate gives it what it needs.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$STORE_PASSWORD" <<'SQL'
create role paydesk login password :'password';
SQL
