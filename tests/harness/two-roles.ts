import { Client } from 'pg'
import { runCommand } from './command'
import type { Postgres } from './postgres'

/** URLs of one database for three roles: `owner`, the dashboard's role `serving`, and the superuser `above`. */
export type RoleUrls = { owner: string; serving: string; above: string }

const createRoleStatements = ['create role keeper login', 'create role desk login', 'create database desk_store owner keeper']
const limitedRoleStatements = ['create role desk_limited', 'grant desk_limited to desk']

/**
 * Creates an empty database, its owner, and the dashboard's role, which owns nothing. With `limited`, also creates the role for reads of
 * people who have only some accounts.
 */
export async function makeRoles(postgres: Postgres, { limited = true } = {}): Promise<RoleUrls> {
  const client = new Client(postgres.url)
  await client.connect()
  for (const line of [...createRoleStatements, ...(limited ? limitedRoleStatements : [])]) await client.query(line)
  await client.end()
  const toRoleUrl = (role: string) => postgres.url.replace('paydesk@', `${role}@`).replace(/postgres$/, 'desk_store')
  return { owner: toRoleUrl('keeper'), serving: toRoleUrl('desk'), above: toRoleUrl('paydesk') }
}

export const migrateAsOwner = ({ owner, serving }: RoleUrls) =>
  runCommand('db-migrate', [], { DATABASE_URL: serving, DATABASE_MIGRATION_URL: owner })
