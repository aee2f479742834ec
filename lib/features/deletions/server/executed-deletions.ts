import 'server-only'
import path from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { environments } from '@/lib/operations/define'
import { appendAudit } from '@/lib/server/audit/chain'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { getErrorCode } from '@/lib/server/error-code'
import { appendJsonLine, readJsonLines } from '@/lib/server/json-lines'
import { log } from '@/lib/server/log'
import { customerDeletions } from '@/lib/server/store/schema/desk'
import { mirrorCustomers, mirrorDeletedCustomers } from '@/lib/server/store/schema/mirror'
import { type Db, getDatabase } from '@/lib/server/store/store'
import {
  type CustomerTraces,
  collectTraces,
  type ErasedCustomer,
  listIdentifyingTexts,
  purgeCustomer,
  purgeMirror,
} from './purge'

/**
 * A line of a file outside the database, with only ids and a time. After a restore of an older
 * backup, the file shows which customers must be erased again.
 */
type ExecutedDeletion = ErasedCustomer & { targets: string[]; at: string }

const getDeletionsFilePath = () => path.join(readStoreSettings().dataDir, 'deletions.jsonl')

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const targetPattern = /^[a-z_]+\/[0-9a-f-]{36}$/

function isExecutedDeletion(value: unknown): value is ExecutedDeletion {
  const executedDeletion = (value ?? {}) as Partial<ExecutedDeletion>
  const isValidId = (id: unknown) => typeof id === 'string' && uuidPattern.test(id)
  const hasValidIds =
    isValidId(executedDeletion.customerId) &&
    (executedDeletion.accountId === null || isValidId(executedDeletion.accountId))
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

export function saveExecutedDeletion(
  { environment, accountId, customerId }: ErasedCustomer,
  { targets }: CustomerTraces,
): void {
  const line: ExecutedDeletion = {
    environment,
    accountId,
    customerId,
    targets: [...targets],
    at: new Date().toISOString(),
  }
  appendJsonLine(getDeletionsFilePath(), line)
}

/**
 * Returns an error for each unreadable line, except the lines in `DELETIONS_LOST`. An error
 * prevents the start of Paydesk, because the line may be a deletion that a restored database does
 * not contain.
 */
export function listUnreadableDeletions(): string[] {
  const { lostDeletions } = readStoreSettings()
  return readJsonLines(getDeletionsFilePath(), isExecutedDeletion)
    .unreadable.filter(({ id }) => !lostDeletions.includes(id))
    .map(
      ({ number, id }) =>
        `${getDeletionsFilePath()}: line ${number} is not a deletion. Take the line from a copy of the file. If it is permanently lost, put ${id} into DELETIONS_LOST`,
    )
}

async function isCustomerErased(
  db: Db,
  { environment, customerId }: ErasedCustomer,
): Promise<boolean> {
  const customerCondition = and(
    eq(mirrorDeletedCustomers.environment, environment),
    eq(mirrorDeletedCustomers.id, customerId),
  )
  return (
    (
      await db
        .select({ id: mirrorDeletedCustomers.id })
        .from(mirrorDeletedCustomers)
        .where(customerCondition)
    ).length > 0
  )
}

/**
 * Reads the customer's name and external id from the restored database, to erase the texts that
 * contain them.
 */
async function readIdentifyingTexts(
  db: Db,
  { environment, customerId }: ErasedCustomer,
): Promise<string[]> {
  const customerCondition = and(
    eq(mirrorCustomers.environment, environment),
    eq(mirrorCustomers.id, customerId),
  )
  const [row] = await db
    .select({ object: mirrorCustomers.object })
    .from(mirrorCustomers)
    .where(customerCondition)
  return listIdentifyingTexts((row?.object as Record<string, unknown> | undefined) ?? null)
}

async function reapplyDeletion(db: Db, deletion: ExecutedDeletion): Promise<void> {
  const { environment, accountId, customerId, at } = deletion
  const traces = await collectTraces(deletion, {
    targets: deletion.targets,
    words: await readIdentifyingTexts(db, deletion),
  })
  await db.transaction(async (tx) => {
    await purgeCustomer(tx, deletion, traces)
    await tx
      .update(customerDeletions)
      .set({ state: 'executed', executedAt: sql`${at}::timestamptz` })
      .where(
        and(
          eq(customerDeletions.environment, environment),
          eq(customerDeletions.customerId, customerId),
          eq(customerDeletions.state, 'requested'),
        ),
      )
    await appendAudit(tx, {
      code: 'deletions.apply_again.applied',
      actor: null,
      environment,
      account: accountId,
      target: `customers/${customerId}`,
    })
  })
  // `purgeMirror` runs last, because it marks the customer as erased. `reapplyDeletions` skips
  // marked customers, so it would not retry the other steps.
  await purgeMirror(deletion, traces)
}

/**
 * Erases customers again that the file lists as deleted but a restored database still contains.
 * Never throws: after false, the caller tries again later.
 */
export async function reapplyDeletions(): Promise<boolean> {
  try {
    const db = await getDatabase()
    const { values, unreadable } = readJsonLines(getDeletionsFilePath(), isExecutedDeletion)
    if (unreadable.length > 0) log.warn({ event: 'deletion.line_lost', count: unreadable.length })
    for (const deletion of values) {
      if (await isCustomerErased(db, deletion)) continue
      await reapplyDeletion(db, deletion)
      log.warn({ event: 'deletion.applied_again', environment: deletion.environment })
    }
    return true
  } catch (error) {
    log.error({ event: 'deletion.not_applied_again', code: getErrorCode(error) })
    return false
  }
}
