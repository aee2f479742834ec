import { Client } from 'pg'
import { runCommand } from './command'
import type { Postgres } from './postgres'

/**
 * URLs of the same database for three database roles: its owner (`owner`), the role of the
 * dashboard (`serving`), and the superuser (`above`).
 */
export type RoleDatabaseUrls = { owner: string; serving: string; above: string }

const roleCreationStatements = [
  'create role keeper login',
  'create role desk login',
  'create database desk_store owner keeper',
]
const limitedRoleStatements = ['create role desk_limited', 'grant desk_limited to desk']

/**
 * Creates an empty database, its owner, and the role of the dashboard, which owns nothing. With
 * `limited`, also creates the role with which the dashboard reads for people who can see only some
 * accounts.
 */
export async function makeDatabaseRoles(
  postgres: Postgres,
  { limited = true } = {},
): Promise<RoleDatabaseUrls> {
  const client = new Client(postgres.url)
  await client.connect()
  for (const line of [...roleCreationStatements, ...(limited ? limitedRoleStatements : [])])
    await client.query(line)
  await client.end()
  const toRoleUrl = (role: string) =>
    postgres.url.replace('paydesk@', `${role}@`).replace(/postgres$/, 'desk_store')
  return { owner: toRoleUrl('keeper'), serving: toRoleUrl('desk'), above: toRoleUrl('paydesk') }
}

export const migrateAsOwner = ({ owner, serving }: RoleDatabaseUrls) =>
  runCommand('db-migrate', [], { DATABASE_URL: serving, DATABASE_MIGRATION_URL: owner })
