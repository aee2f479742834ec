import 'server-only'
import path from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { environments } from '@/lib/operations/define'
import { appendAudit } from '@/lib/server/audit/chain'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { getErrorCode } from '@/lib/server/error-code'
import { appendJsonLine, readJsonLines } from '@/lib/server/json-lines'
import { log } from '@/lib/server/log'
import { deletions } from '@/lib/server/store/schema/desk'
import { mirrorCustomers, mirrorForgotten } from '@/lib/server/store/schema/mirror'
import { type Db, database } from '@/lib/server/store/store'
import { type CustomerTraces, collectTraces, type ErasedCustomer, listNameWords, purgeCustomer, purgeMirror } from './purge'

/**
 * A deletion that the service carried out. It is stored outside the database and contains only ids. After a restore of an older backup, it
 * shows which customers must be erased again.
 */
type ExecutedDeletion = ErasedCustomer & { targets: string[]; at: string }

const file = () => path.join(readStoreSettings().dataDir, 'deletions.jsonl')

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const targetPattern = /^[a-z_]+\/[0-9a-f-]{36}$/

function isExecutedDeletion(value: unknown): value is ExecutedDeletion {
  const executedDeletion = (value ?? {}) as Partial<ExecutedDeletion>
  const hasValidIds = [executedDeletion.accountId, executedDeletion.customerId].every(
    (id) => typeof id === 'string' && uuidPattern.test(id),
  )
  const hasValidTargets =
    Array.isArray(executedDeletion.targets) &&
    executedDeletion.targets.every((each) => typeof each === 'string' && targetPattern.test(each))
  return (
    hasValidIds &&
    hasValidTargets &&
    environments.some((name) => name === executedDeletion.environment) &&
    !Number.isNaN(Date.parse(executedDeletion.at ?? ''))
  )
}

/** Records, outside the database, that a deletion was carried out. */
export function saveExecutedDeletion({ environment, accountId, customerId }: ErasedCustomer, { targets }: CustomerTraces): void {
  const line: ExecutedDeletion = { environment, accountId, customerId, targets: [...targets], at: new Date().toISOString() }
  appendJsonLine(file(), line)
}

/** Returns the errors that prevent a start: each unreadable line may be a deletion that a restored database does not contain. */
export function listUnreadableDeletions(): string[] {
  const { lostDeletions } = readStoreSettings()
  return readJsonLines(file(), isExecutedDeletion)
    .unreadable.filter(({ id }) => !lostDeletions.includes(id))
    .map(
      ({ number, id }) =>
        `${file()}: line ${number} is not a deletion. Take the line from a copy of the file. If it is permanently lost, put ${id} into DELETIONS_LOST`,
    )
}

async function isForgotten(db: Db, { environment, customerId }: ErasedCustomer): Promise<boolean> {
  const customerCondition = and(eq(mirrorForgotten.environment, environment), eq(mirrorForgotten.id, customerId))
  return (await db.select({ id: mirrorForgotten.id }).from(mirrorForgotten).where(customerCondition)).length > 0
}

/** Returns the words that name the person, from the customer's record in a restored database. */
async function readMirroredNameWords(db: Db, { environment, customerId }: ErasedCustomer): Promise<string[]> {
  const customerCondition = and(eq(mirrorCustomers.environment, environment), eq(mirrorCustomers.id, customerId))
  const [row] = await db.select({ object: mirrorCustomers.object }).from(mirrorCustomers).where(customerCondition)
  return listNameWords((row?.object as Record<string, unknown> | undefined) ?? null)
}

async function applyDeletion(db: Db, deletion: ExecutedDeletion): Promise<void> {
  const { environment, accountId, customerId, at } = deletion
  const traces = await collectTraces(deletion, { targets: deletion.targets, words: await readMirroredNameWords(db, deletion) })
  await db.transaction(async (tx) => {
    await purgeCustomer(tx, deletion, traces)
    await tx
      .update(deletions)
      .set({ state: 'executed', executedAt: sql`${at}::timestamptz` })
      .where(and(eq(deletions.environment, environment), eq(deletions.customerId, customerId), eq(deletions.state, 'requested')))
    await appendAudit(tx, {
      code: 'deletions.apply_again.applied',
      actor: null,
      environment,
      account: accountId,
      target: `customers/${customerId}`,
    })
  })
  // This comes last: it marks the customer as erased, so that the deletion is not applied another time.
  await purgeMirror(deletion, traces)
}

/**
 * Applies the deletions again that the database does not contain, because it was restored from an older backup. Returns true if it now
 * contains all of them. Never throws: failures are retried later.
 */
export async function reapplyDeletions(): Promise<boolean> {
  try {
    const db = await database()
    const { values, unreadable } = readJsonLines(file(), isExecutedDeletion)
    if (unreadable.length > 0) log.warn({ event: 'deletion.line_lost', count: unreadable.length })
    for (const deletion of values) {
      if (await isForgotten(db, deletion)) continue
      await applyDeletion(db, deletion)
      log.warn({ event: 'deletion.applied_again', environment: deletion.environment })
    }
    return true
  } catch (error) {
    log.error({ event: 'deletion.not_applied_again', code: getErrorCode(error) })
    return false
  }
}
