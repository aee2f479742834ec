import 'server-only'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { objectAccounts } from '@/lib/server/store/schema'
import { database } from '@/lib/server/store/store'

/** What this process knows of the index; it spares a write for every read of a list. */
const known = new Map<string, string>()
const keptAtMost = 20_000

const keyOf = (environment: Environment, target: string) => `${environment}/${target}`

function remember(key: string, accountId: string): void {
  if (known.size >= keptAtMost) known.clear()
  known.set(key, accountId)
}

/** Remembers which account objects belong to, proven by a read or write in that account's scope. Targets are `<resource>/<id>`. */
export async function indexAccounts(environment: Environment, targets: readonly string[], accountId: string): Promise<void> {
  const fresh = [...new Set(targets)].filter((target) => known.get(keyOf(environment, target)) !== accountId)
  if (fresh.length === 0) return
  // Known before it is written: a write that comes right after the read must carry the account as well.
  for (const target of fresh) remember(keyOf(environment, target), accountId)
  try {
    const db = await database()
    await db.transaction(async (tx) => {
      // What a crash takes of it is learnt again.
      await tx.execute(sql`set local synchronous_commit = off`)
      await tx
        .insert(objectAccounts)
        .values(fresh.map((target) => ({ environment, target, accountId })))
        .onConflictDoUpdate({ target: [objectAccounts.environment, objectAccounts.target], set: { accountId } })
    })
  } catch (error) {
    for (const target of fresh) known.delete(keyOf(environment, target))
    throw error
  }
}

export const indexAccount = (environment: Environment, target: string, accountId: string): Promise<void> =>
  indexAccounts(environment, [target], accountId)

/** The accounts of objects as far as they are indexed, by target. */
export async function accountsOf(environment: Environment, targets: readonly string[]): Promise<Map<string, string>> {
  if (targets.length === 0) return new Map()
  const db = await database()
  const rows = await db
    .select({ target: objectAccounts.target, accountId: objectAccounts.accountId })
    .from(objectAccounts)
    .where(and(eq(objectAccounts.environment, environment), inArray(objectAccounts.target, [...targets])))
  for (const row of rows) remember(keyOf(environment, row.target), row.accountId)
  return new Map(rows.map((row) => [row.target, row.accountId]))
}

/** The account of one object, or null where it is not indexed. */
export async function accountOf(environment: Environment, target: string): Promise<string | null> {
  return known.get(keyOf(environment, target)) ?? (await accountsOf(environment, [target])).get(target) ?? null
}
