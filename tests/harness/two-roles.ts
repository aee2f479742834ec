import { Client } from 'pg'
import { runCommand } from './command'
import type { Postgres } from './postgres'

/** Addresses of one database: for its owner, for the dashboard's role, and for a superuser. */
export type TwoRoles = { owner: string; serving: string; above: string }

const madeBy = ['create role keeper login', 'create role desk login', 'create database desk_store owner keeper']
const withLimited = ['create role desk_limited', 'grant desk_limited to desk']

/**
 * Creates an empty database with an owner and a role that owns nothing. With `limited`, also the role that reads for people of single
 * accounts.
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
