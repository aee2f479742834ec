import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { objectAccounts } from './store/schema'
import { database } from './store/store'

/** What this process knows of the index; it spares a write for every read of a list. */
const known = new Map<string, string>()
const keptAtMost = 20_000

const keyOf = (environment: Environment, target: string) => `${environment}/${target}`

function remember(key: string, accountId: string): void {
  if (known.size >= keptAtMost) known.clear()
  known.set(key, accountId)
}

/** Remembers which account objects belong to, learnt from a read or write in that account's scope. Targets are `<resource>/<id>`. */
export async function learnAccounts(environment: Environment, targets: readonly string[], accountId: string): Promise<void> {
  const fresh = [...new Set(targets)].filter((target) => known.get(keyOf(environment, target)) !== accountId)
  if (fresh.length === 0) return
  // Known before it is written: a write that comes right after the read must carry the account as well.
  for (const target of fresh) remember(keyOf(environment, target), accountId)
  try {
    const db = await database()
    await db
      .insert(objectAccounts)
      .values(fresh.map((target) => ({ environment, target, accountId })))
      .onConflictDoUpdate({ target: [objectAccounts.environment, objectAccounts.target], set: { accountId } })
  } catch (error) {
    for (const target of fresh) known.delete(keyOf(environment, target))
    throw error
  }
}

/** Remembers the account of one object. */
export const learnAccount = (environment: Environment, target: string, accountId: string): Promise<void> =>
  learnAccounts(environment, [target], accountId)

/** The accounts of objects as far as they were learnt, by target. */
export async function accountsLearnt(environment: Environment, targets: readonly string[]): Promise<Map<string, string>> {
  if (targets.length === 0) return new Map()
  const db = await database()
  const rows = await db
    .select({ target: objectAccounts.target, accountId: objectAccounts.accountId })
    .from(objectAccounts)
    .where(and(eq(objectAccounts.environment, environment), inArray(objectAccounts.target, [...targets])))
  for (const row of rows) remember(keyOf(environment, row.target), row.accountId)
  return new Map(rows.map((row) => [row.target, row.accountId]))
}

/** The account of one object, or null when it was not learnt. */
export async function accountLearnt(environment: Environment, target: string): Promise<string | null> {
  return known.get(keyOf(environment, target)) ?? (await accountsLearnt(environment, [target])).get(target) ?? null
}
