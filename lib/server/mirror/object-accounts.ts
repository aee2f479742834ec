import 'server-only'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Environment, Resource } from '@/lib/operations/define'
import { getOwnerRule } from '@/lib/operations/ownership'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { getIntegration } from '@/lib/server/config/integration'
import { buildPgNotifySql } from '@/lib/server/store/notifications'
import { mirrorAccounts } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'
import { toUuidArraySql } from './forget'
import { type MirroredResource, mirrorTables, toMirrorTableResource } from './mirrored'

/**
 * After a read, the mirror row of the object is written in the background. A write right after the
 * read finds the account here.
 */
const accountCache = new Map<string, string>()
const maxCachedAccounts = 20_000

const toCacheKey = (environment: Environment, target: string) => `${environment}/${target}`

/** The account must come from a response to a request in that account's scope. */
export function cacheObjectAccounts(
  environment: Environment,
  targets: readonly string[],
  accountId: string,
): void {
  if (accountCache.size + targets.length > maxCachedAccounts) accountCache.clear()
  for (const target of targets) accountCache.set(toCacheKey(environment, target), accountId)
}

type ObjectGroup = { resource: MirroredResource; where: SQL }

function groupByResource(environment: Environment, targets: readonly string[]): ObjectGroup[] {
  const idsByResource = new Map<MirroredResource, string[]>()
  for (const target of targets) {
    const [resource = '', id = ''] = target.split('/')
    if (Object.hasOwn(mirrorTables, resource))
      idsByResource.set(resource as MirroredResource, [
        ...(idsByResource.get(resource as MirroredResource) ?? []),
        id,
      ])
  }
  return [...idsByResource].map(([resource, some]) => {
    const paymentTypeCondition =
      toMirrorTableResource(resource) === resource
        ? sql``
        : sql` and payment_type = ${resource.slice(0, -1)}`
    return {
      resource,
      where: sql`environment = ${environment} and id = any(${toUuidArraySql(some)})${paymentTypeCondition}`,
    }
  })
}

/**
 * The account must come from a write in that account's scope. Skips objects of the platform.
 * Notifies all instances.
 */
export async function storeObjectAccounts(
  environment: Environment,
  writtenTargets: readonly string[],
  accountId: string,
): Promise<void> {
  const integration = getIntegration(environment)
  const targets = writtenTargets.filter(
    (target) => getOwnerRule(target.split('/')[0] as Resource, integration) !== 'platform',
  )
  cacheObjectAccounts(environment, targets, accountId)
  const db = await getDatabase()
  for (const { resource, where } of groupByResource(environment, targets)) {
    await db.execute(sql`
      with changed as (update ${mirrorTables[resource].table} set account_id = ${accountId} where ${where} and account_id is null and not platform_owned returning id, account_id as account),
      told as materialized (${buildPgNotifySql({ environment, resource: toMirrorTableResource(resource) }, sql`changed`)}) select count(*) from told`)
  }
}

/** Omits targets whose account is unknown. */
export async function lookUpAccounts(
  environment: Environment,
  targets: readonly string[],
): Promise<Map<string, string>> {
  const accountByTarget = new Map(
    targets.flatMap((target): [string, string][] => {
      const account = accountCache.get(toCacheKey(environment, target))
      return account ? [[target, account]] : []
    }),
  )
  const groups = groupByResource(
    environment,
    targets.filter((target) => !accountByTarget.has(target)),
  )
  if (groups.length === 0) return accountByTarget
  const accountQueries = groups.map(
    ({ resource, where }) =>
      sql`select ${`${resource}/`}::text || id::text as target, account_id as account from ${mirrorTables[resource].table} where ${where} and account_id is not null`,
  )
  const db = await getDatabase()
  const { rows } = (await db.execute(sql.join(accountQueries, sql` union all `))) as unknown as {
    rows: { target: string; account: string }[]
  }
  for (const { target, account } of rows) accountByTarget.set(target, account)
  return accountByTarget
}

/** The account whose limits apply: that of the scope, or the only one of a direct account. */
export async function findLimitAccountId({
  environment,
  accountId,
}: Pick<ScopedAccount, 'environment' | 'accountId'>): Promise<string | null> {
  if (getIntegration(environment) !== 'account') return accountId
  const db = await getDatabase()
  const accountRows = await db
    .select({ id: mirrorAccounts.id })
    .from(mirrorAccounts)
    .where(eq(mirrorAccounts.environment, environment))
    .limit(1)
  return accountRows[0]?.id ?? null
}

/** `accountId` is null for an object of the platform. */
export type StoredOwner = { accountId: string | null }

/** Null if the object is not stored or its owner is unknown. */
export async function lookUpOwner(
  environment: Environment,
  target: string,
): Promise<StoredOwner | null> {
  const account = await lookUpAccount(environment, target)
  if (account !== null) return { accountId: account }
  const [group] = groupByResource(environment, [target])
  if (!group) return null
  const db = await getDatabase()
  const { rows } = (await db.execute(
    sql`select from ${mirrorTables[group.resource].table} where ${group.where} and platform_owned`,
  )) as unknown as { rows: unknown[] }
  return rows.length > 0 ? { accountId: null } : null
}

export const lookUpAccount = async (
  environment: Environment,
  target: string,
): Promise<string | null> => (await lookUpAccounts(environment, [target])).get(target) ?? null
