#!/bin/sh
# Run once, when the database is made: the role that owns it, the role that the dashboard connects as, and the one it reads as for people of single accounts, which
# own nothing; db-migrate gives them what they need. The superuser keeps no password, so nobody signs in as it over the network.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set owner_password="$STORE_OWNER_PASSWORD" --set password="$STORE_PASSWORD" --set name="$POSTGRES_DB" --set superuser="$POSTGRES_USER" <<'SQL'
create role paydesk_owner login password :'owner_password';
create role paydesk login password :'password';
create role paydesk_limited;
grant paydesk_limited to paydesk;
alter database :"name" owner to paydesk_owner;
alter role :"superuser" password null;
SQL
