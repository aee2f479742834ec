#!/bin/sh
# Run once, when the database is made: the role that the dashboard connects as, and the one it reads as for people of single accounts. They own nothing; db-migrate
# gives them what they need.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$STORE_PASSWORD" <<'SQL'
create role paydesk login password :'password';
create role paydesk_limited;
grant paydesk_limited to paydesk;
SQL
