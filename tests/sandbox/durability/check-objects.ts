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

type ServiceObject = Record<string, unknown> & {
  id: string
  status: string
  status_history: StatusChange[]
  status_details: StatusChange
  documents: unknown[]
  metadata: Record<string, string>
  updated_at: string
}

/**
 * True for a write that replaces the object's metadata. The test writes the idempotency key there,
 * so the metadata shows the last such write.
 */
const replacesMetadata = (operation: string): boolean =>
  /\.(create|update|refund|bank_account)$/.test(operation)

/** True for a hold, release or cancel: a request that adds an entry to a payment's history. */
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
    if (!previousChange)
      return ['created', 'on_hold'].includes(entry.status) ? [] : [`begins as ${entry.status}`]
    if (entry.changed_at < previousChange.changed_at)
      return [`goes back from ${previousChange.changed_at} to ${entry.changed_at}`]
    return isAllowedMove(previousChange, entry)
      ? []
      : [`went from ${previousChange.status} to ${entry.status}`]
  })
}

/**
 * Returns the contradictions between a payment's history and its journal rows. Each row of a
 * requested move must have its entry in the history, in the same order and after the status that
 * the row names. The history must contain no other requested move.
 */
function findMissingMoveFaults(
  history: readonly StatusChange[],
  rows: readonly JournalRow[],
): string[] {
  const missingMoveFaults: string[] = []
  let lastEntryIndex = -1
  for (const row of rows.filter(
    ({ operation }) => isRequestedMove(operation) || startsHistory(operation),
  )) {
    const nextIndex = history.findIndex(
      (entry, index) =>
        index > lastEntryIndex && entry.changed_at === row.at && entry.status === row.to,
    )
    if (nextIndex < 0)
      missingMoveFaults.push(
        `has no ${row.to} of ${row.at} in its history, which ${row.operation} made`,
      )
    else if ((history[nextIndex - 1]?.status ?? '') !== row.from)
      missingMoveFaults.push(`did not come from ${row.from} as ${row.operation} says`)
    lastEntryIndex = Math.max(lastEntryIndex, nextIndex)
  }
  const requestedEntryCount = history.filter(({ source }) => source === 'user_action').length
  const moveCount = rows.filter(({ operation }) => isRequestedMove(operation)).length
  return requestedEntryCount === moveCount
    ? missingMoveFaults
    : [
        ...missingMoveFaults,
        `has ${requestedEntryCount} steps that were asked for, the journal ${moveCount}`,
      ]
}

function findPaymentFaults(checkedObject: ServiceObject, rows: readonly JournalRow[]): string[] {
  const { status, status_history: history, documents } = checkedObject
  const uploadCount = rows.filter(({ operation }) => operation.endsWith('.authorize')).length
  return [
    ...findHistoryFaults(history),
    ...findMissingMoveFaults(history, rows),
    ...(history.at(-1)?.status === status ? [] : [`is ${status}, its history ends otherwise`]),
    ...(documents.length === uploadCount
      ? []
      : [`has ${documents.length} documents, the journal ${uploadCount}`]),
  ]
}

/**
 * Returns an error text if a paykey or customer does not have the status of its last journal row,
 * unless a timer changed it after that row.
 */
function findStatusFaults(checkedObject: ServiceObject, rows: readonly JournalRow[]): string[] {
  const lastRow = rows.at(-1)
  const changedAt = checkedObject.status_details?.changed_at ?? checkedObject.updated_at
  if (!lastRow || checkedObject.status === lastRow.to || changedAt > lastRow.at) return []
  return [`is ${checkedObject.status}, and the last effect left it ${lastRow.to}`]
}

function findMetadataFaults(checkedObject: ServiceObject, rows: readonly JournalRow[]): string[] {
  const lastMetadataRow = rows.findLast(({ operation }) => replacesMetadata(operation))
  // The setup of the test creates objects without an idempotency key, so their metadata has none to
  // compare.
  if (
    !lastMetadataRow?.idempotency_key ||
    checkedObject.metadata.key === lastMetadataRow.idempotency_key
  )
    return []
  return [
    `shows what ${checkedObject.metadata.key} wrote, and ${lastMetadataRow.idempotency_key} wrote last`,
  ]
}

/**
 * Reads the objects of the journal rows and returns contradictions. A payment's history must follow
 * the state machine and the journal. Status and metadata must be those of the last row. `rows` must
 * contain all rows of each object. Adds the objects to `known`.
 */
export async function checkObjects(
  service: ServiceConnectionPool,
  rows: readonly JournalRow[],
  known: KnownObjects,
): Promise<string[]> {
  const objectFaults: string[] = []
  await forEachConcurrently([...groupBy(rows, ({ target_id }) => target_id)], async ([id, own]) => {
    const collection = toCollection(own[0]?.operation ?? '')
    const { status, json } = await service.get(`/v1/${collection}/${id}`)
    const isDeleted = own.at(-1)?.operation === 'customers.delete'
    if (isDeleted !== (status === 404))
      objectFaults.push(`${collection}/${id} is answered ${status}`)
    if (status !== 200) return
    const serviceObject = json.data as ServiceObject
    known.learnObject(collection, own[0]?.account_id ?? '', serviceObject)
    const isPayment = collection === 'charges' || collection === 'payouts'
    const faults = [
      ...(isPayment ? findPaymentFaults(serviceObject, own) : findStatusFaults(serviceObject, own)),
      ...findMetadataFaults(serviceObject, own),
    ]
    objectFaults.push(...faults.map((fault) => `${collection}/${id} ${fault}`))
  })
  return objectFaults
}

/**
 * Returns an error text for each payment whose history does not begin with the history that an
 * earlier response contained. A history may only grow.
 */
export async function checkReportedHistories(
  service: ServiceConnectionPool,
  sent: readonly SentWrite[],
): Promise<string[]> {
  const violations: string[] = []
  const acknowledgedWrites = sent.flatMap(({ write, answer }) =>
    answer && isAcknowledged(answer)
      ? [{ write, data: readResponseData(answer) as ServiceObject }]
      : [],
  )
  await forEachConcurrently(acknowledgedWrites, async ({ write, data }) => {
    if (!data.status_history) return
    const { json } = await service.get(`/v1/${toCollection(write.operation)}/${data.id}`)
    const currentHistory = (json.data as ServiceObject | undefined)?.status_history ?? []
    if (isDeepStrictEqual(currentHistory.slice(0, data.status_history.length), data.status_history))
      return
    violations.push(`${write.operation} ${write.key} told a history that is not there`)
  })
  return violations
}
