import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { noticesOfRows } from '@/lib/server/store/notices'
import { database } from '@/lib/server/store/store'
import { uuids } from './forget'
import { type MirroredResource, mirrored, tableOf } from './mirrored'

/** Accounts of objects that this process saw recently. A write right after a read finds the account here before the row is written. */
const accountCache = new Map<string, string>()
const keptAtMost = 20_000

const keyOf = (environment: Environment, target: string) => `${environment}/${target}`

/**
 * Stores the account of objects in the memory of this process. The account must come from a response to a request in that account's scope.
 * Targets are `<resource>/<id>`.
 */
export function noteAccounts(environment: Environment, targets: readonly string[], accountId: string): void {
  if (accountCache.size + targets.length > keptAtMost) accountCache.clear()
  for (const target of targets) accountCache.set(keyOf(environment, target), accountId)
}

/** Objects of one resource, and the SQL condition that selects their rows. */
type Group = { resource: MirroredResource; where: SQL }

function groupsOf(environment: Environment, targets: readonly string[]): Group[] {
  const ids = new Map<MirroredResource, string[]>()
  for (const target of targets) {
    const [resource = '', id = ''] = target.split('/')
    if (Object.hasOwn(mirrored, resource)) ids.set(resource as MirroredResource, [...(ids.get(resource as MirroredResource) ?? []), id])
  }
  return [...ids].map(([resource, some]) => {
    const kind = tableOf(resource) === resource ? sql`` : sql` and payment_type = ${resource.slice(0, -1)}`
    return { resource, where: sql`environment = ${environment} and id = any(${uuids(some)})${kind}` }
  })
}

/** Sets the account of mirror rows that have none. The account must come from a write in that account's scope. Notifies all instances. */
export async function keepAccounts(environment: Environment, targets: readonly string[], accountId: string): Promise<void> {
  noteAccounts(environment, targets, accountId)
  const db = await database()
  for (const { resource, where } of groupsOf(environment, targets)) {
    await db.execute(sql`
      with changed as (update ${mirrored[resource].table} set account_id = ${accountId} where ${where} and account_id is null returning id, account_id as account),
      told as materialized (${noticesOfRows({ environment, resource: tableOf(resource) }, sql`changed`)}) select count(*) from told`)
  }
}

/** Returns the known accounts by target. Omits targets whose account is unknown. */
export async function accountsOf(environment: Environment, targets: readonly string[]): Promise<Map<string, string>> {
  const found = new Map(
    targets.flatMap((target): [string, string][] => {
      const account = accountCache.get(keyOf(environment, target))
      return account ? [[target, account]] : []
    }),
  )
  const groups = groupsOf(
    environment,
    targets.filter((target) => !found.has(target)),
  )
  if (groups.length === 0) return found
  const selects = groups.map(
    ({ resource, where }) =>
      sql`select ${`${resource}/`}::text || id::text as target, account_id as account from ${mirrored[resource].table} where ${where} and account_id is not null`,
  )
  const db = await database()
  const { rows } = (await db.execute(sql.join(selects, sql` union all `))) as unknown as { rows: { target: string; account: string }[] }
  for (const { target, account } of rows) found.set(target, account)
  return found
}

/** Returns the known account of an object, or null. */
export const accountOf = async (environment: Environment, target: string): Promise<string | null> =>
  (await accountsOf(environment, [target])).get(target) ?? null
