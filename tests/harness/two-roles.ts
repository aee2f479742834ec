import { Client } from 'pg'
import { runCommand } from './command'
import type { Postgres } from './postgres'

/** URLs of one database for three roles: `owner`, the dashboard's role `serving`, and the superuser `above`. */
export type TwoRoles = { owner: string; serving: string; above: string }

const madeBy = ['create role keeper login', 'create role desk login', 'create database desk_store owner keeper']
const withLimited = ['create role desk_limited', 'grant desk_limited to desk']

/**
 * Creates an empty database, its owner, and the dashboard's role, which owns nothing. With `limited`, also creates the role for reads of
 * people who have only some accounts.
 */
export async function makeRoles(postgres: Postgres, { limited = true } = {}): Promise<TwoRoles> {
  const client = new Client(postgres.url)
  await client.connect()
  for (const line of [...madeBy, ...(limited ? withLimited : [])]) await client.query(line)
  await client.end()
  const as = (role: string) => postgres.url.replace('paydesk@', `${role}@`).replace(/postgres$/, 'desk_store')
  return { owner: as('keeper'), serving: as('desk'), above: as('paydesk') }
}

export const migrateAs = ({ owner, serving }: TwoRoles) =>
  runCommand('db-migrate', [], { DATABASE_URL: serving, DATABASE_MIGRATION_URL: owner })
