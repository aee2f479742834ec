import { isDeepStrictEqual } from 'node:util'
import type { JournalRow } from '@/sandbox/http/journal'
import type { StatusChange } from '@/sandbox/payments/payment'
import { paymentMachine } from '@/sandbox/payments/payment-moves'
import type { PaymentStatus } from '@/sandbox/payments/payment-values'
import { forEachConcurrently } from './check-writes'
import { groupBy } from './group-by'
import type { KnownObjects } from './known-objects'
import type { ServiceConnectionPool } from './service-connection-pool'
import { isAcknowledged, readResponseData, type SentWrite, toCollection } from './write'

type ReadObject = Record<string, unknown> & {
  id: string
  status: string
  status_history: StatusChange[]
  status_details: StatusChange
  documents: unknown[]
  metadata: Record<string, string>
  updated_at: string
}

/** True for a write that replaces the metadata. The tests write the idempotency key as metadata. */
const replacesMetadata = (operation: string): boolean => /\.(create|update|refund|bank_account)$/.test(operation)

/** True for a move that adds an entry to a payment's history. */
const isRequestedMove = (operation: string): boolean => /\.(hold|release|cancel)$/.test(operation)

const startsHistory = (operation: string): boolean => /\.(create|refund|resubmit)$/.test(operation)

function isAllowedMove(before: StatusChange, after: StatusChange): boolean {
  return Object.values(paymentMachine.moves).some(
    ({ from, to }) => to === after.status && (from as PaymentStatus[]).includes(before.status),
  )
}

function findHistoryFaults(history: readonly StatusChange[]): string[] {
  return history.flatMap((entry, index) => {
    const previousChange = history[index - 1]
    if (!previousChange) return ['created', 'on_hold'].includes(entry.status) ? [] : [`begins as ${entry.status}`]
    if (entry.changed_at < previousChange.changed_at) return [`goes back from ${previousChange.changed_at} to ${entry.changed_at}`]
    return isAllowedMove(previousChange, entry) ? [] : [`went from ${previousChange.status} to ${entry.status}`]
  })
}

/**
 * Compares a payment's history with its journal rows. Each requested move must be in the history, in order and after the right status. The
 * history must contain no other requested move.
 */
function findStepFaults(history: readonly StatusChange[], rows: readonly JournalRow[]): string[] {
  const faults: string[] = []
  let lastIndex = -1
  for (const row of rows.filter(({ operation }) => isRequestedMove(operation) || startsHistory(operation))) {
    const nextIndex = history.findIndex((entry, index) => index > lastIndex && entry.changed_at === row.at && entry.status === row.to)
    if (nextIndex < 0) faults.push(`has no ${row.to} of ${row.at} in its history, which ${row.operation} made`)
    else if ((history[nextIndex - 1]?.status ?? '') !== row.from) faults.push(`did not come from ${row.from} as ${row.operation} says`)
    lastIndex = Math.max(lastIndex, nextIndex)
  }
  const stepCount = history.filter(({ source }) => source === 'user_action').length
  const moveCount = rows.filter(({ operation }) => isRequestedMove(operation)).length
  return stepCount === moveCount ? faults : [...faults, `has ${stepCount} steps that were asked for, the journal ${moveCount}`]
}

function findPaymentFaults(seen: ReadObject, rows: readonly JournalRow[]): string[] {
  const { status, status_history: history, documents } = seen
  const uploads = rows.filter(({ operation }) => operation.endsWith('.authorize')).length
  return [
    ...findHistoryFaults(history),
    ...findStepFaults(history, rows),
    ...(history.at(-1)?.status === status ? [] : [`is ${status}, its history ends otherwise`]),
    ...(documents.length === uploads ? [] : [`has ${documents.length} documents, the journal ${uploads}`]),
  ]
}

/** Returns an error text if a paykey or customer does not have the status of its last journal row. Accepts a later change by a timer. */
function findStatusFaults(seen: ReadObject, rows: readonly JournalRow[]): string[] {
  const lastRow = rows.at(-1)
  const changedAt = seen.status_details?.changed_at ?? seen.updated_at
  if (!lastRow || seen.status === lastRow.to || changedAt > lastRow.at) return []
  return [`is ${seen.status}, and the last effect left it ${lastRow.to}`]
}

function findMetadataFaults(seen: ReadObject, rows: readonly JournalRow[]): string[] {
  const last = rows.findLast(({ operation }) => replacesMetadata(operation))
  // Setup creates objects without a key.
  if (!last?.idempotency_key || seen.metadata.key === last.idempotency_key) return []
  return [`shows what ${seen.metadata.key} wrote, and ${last.idempotency_key} wrote last`]
}

/**
 * Reads the objects of journal rows and returns contradictions: between history, state machine and journal, between status and last change,
 * between metadata and last write. `rows` must contain all rows of each object. Adds the objects to `known`.
 */
export async function checkObjects(service: ServiceConnectionPool, rows: readonly JournalRow[], known: KnownObjects): Promise<string[]> {
  const violations: string[] = []
  await forEachConcurrently([...groupBy(rows, ({ target_id }) => target_id)], async ([id, own]) => {
    const collection = toCollection(own[0]?.operation ?? '')
    const { status, json } = await service.get(`/v1/${collection}/${id}`)
    const isDeleted = own.at(-1)?.operation === 'customers.delete'
    if (isDeleted !== (status === 404)) violations.push(`${collection}/${id} is answered ${status}`)
    if (status !== 200) return
    const serviceObject = json.data as ReadObject
    known.learnObject(collection, own[0]?.account_id ?? '', serviceObject)
    const isPayment = collection === 'charges' || collection === 'payouts'
    const faults = [
      ...(isPayment ? findPaymentFaults(serviceObject, own) : findStatusFaults(serviceObject, own)),
      ...findMetadataFaults(serviceObject, own),
    ]
    violations.push(...faults.map((fault) => `${collection}/${id} ${fault}`))
  })
  return violations
}

/** Returns an error text for each payment in a response whose history was lost or changed since. A history may only grow. */
export async function checkReportedHistories(service: ServiceConnectionPool, sent: readonly SentWrite[]): Promise<string[]> {
  const violations: string[] = []
  const acknowledgedWrites = sent.flatMap(({ write, answer }) =>
    answer && isAcknowledged(answer) ? [{ write, data: readResponseData(answer) as ReadObject }] : [],
  )
  await forEachConcurrently(acknowledgedWrites, async ({ write, data }) => {
    if (!data.status_history) return
    const { json } = await service.get(`/v1/${toCollection(write.operation)}/${data.id}`)
    const currentHistory = (json.data as ReadObject | undefined)?.status_history ?? []
    if (isDeepStrictEqual(currentHistory.slice(0, data.status_history.length), data.status_history)) return
    violations.push(`${write.operation} ${write.key} told a history that is not there`)
  })
  return violations
}
