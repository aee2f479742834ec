import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import type { Environment, Resource } from '@/lib/operations/define'
import { mirrorCustomers } from '@/lib/server/store/schema/mirror'
import { mirrorPaykeys, mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import { getDatabase } from '@/lib/server/store/store'
import { toUuidArraySql } from './forget'

const paidTables = {
  customers: { id: mirrorCustomers.id, paymentColumn: mirrorPayments.customerId },
  paykeys: { id: mirrorPaykeys.id, paymentColumn: mirrorPayments.paykeyId },
}
const isPaidResource = (resource: Resource): resource is keyof typeof paidTables =>
  Object.hasOwn(paidTables, resource)

const buildPaymentSql = (
  environment: Environment,
  resource: keyof typeof paidTables,
  id: SQL,
  accounts: readonly string[],
): SQL =>
  sql`exists (select from ${mirrorPayments} where ${mirrorPayments.environment} = ${environment} and ${paidTables[resource].paymentColumn} = ${id} and ${mirrorPayments.accountId} = any(${toUuidArraySql(accounts)}))`

/**
 * In a marketplace, the platform owns customers and paykeys. A person of single accounts sees those
 * with a payment of one of their accounts, and no other object of the platform.
 */
export const buildPaidRowsCondition = (
  environment: Environment,
  resource: Resource,
  accounts: readonly string[],
): SQL =>
  isPaidResource(resource)
    ? buildPaymentSql(environment, resource, sql`${paidTables[resource].id}`, accounts)
    : sql`false`

/** Returns the ids that have a payment of one of the accounts. */
export async function findPaidIds(
  environment: Environment,
  resource: Resource,
  ids: readonly string[],
  accounts: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!isPaidResource(resource) || ids.length === 0) return new Set()
  const db = await getDatabase()
  const { rows } = (await db.execute(
    sql`select id from unnest(${toUuidArraySql(ids)}) as asked (id) where ${buildPaymentSql(environment, resource, sql`asked.id`, accounts)}`,
  )) as unknown as { rows: { id: string }[] }
  return new Set(rows.map(({ id }) => id))
}
