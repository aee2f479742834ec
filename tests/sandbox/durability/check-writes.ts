import type { JournalRow } from '@/sandbox/http/journal'
import { findReplayFaults } from './check-replay'
import { groupBy } from './group-by'
import type { ServiceConnectionPool } from './service-connection-pool'
import {
  isAcknowledged,
  readResponseData,
  type SentWrite,
  type WriteRequest,
  type WriteResponse,
} from './write'

const maxConcurrentTasks = 8

export type WriteCheckReport = {
  replayed: number
  unanswered: number
  unansweredWithEffect: number
  violations: string[]
}

/** Runs `work` for each item, up to eight at a time. The order is not defined. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const remainingItems = [...items]
  const runWorker = async () => {
    for (let one = remainingItems.pop(); one !== undefined; one = remainingItems.pop())
      await work(one)
  }
  await Promise.all(Array.from({ length: maxConcurrentTasks }, runWorker))
}

function groupRowsByKey(rows: readonly JournalRow[]): ReadonlyMap<string, JournalRow[]> {
  return groupBy(rows, ({ idempotency_key }) => idempotency_key ?? '')
}

/**
 * True for a write that may succeed without an effect. Only a release can: releasing a payment that
 * is already released changes nothing. A release with an effect writes its key into the payment's
 * history, as the reason.
 */
const canSucceedWithoutChange = ({ operation }: WriteRequest): boolean =>
  operation.endsWith('.release')

const isUnexpectedStatus = ({ status }: WriteResponse): boolean =>
  status >= 500 || [401, 403, 429].includes(status)

function findEffectFaults(
  write: WriteRequest,
  answer: WriteResponse,
  row: JournalRow | undefined,
): string[] {
  if (!row)
    return canSucceedWithoutChange(write) && !answer.text.includes(write.key)
      ? []
      : ['was acknowledged and has no effect']
  const { id } = readResponseData(answer)
  if (row.target_id !== id) return [`answered ${id}, and the journal says ${row.target_id}`]
  return row.operation === write.operation ? [] : [`is in the journal as ${row.operation}`]
}

/** Returns the contradictions between the response to a write and the journal rows of its key. */
function findResponseContradictions(
  write: WriteRequest,
  answer: WriteResponse,
  rows: readonly JournalRow[],
): string[] {
  if (isUnexpectedStatus(answer)) return [`was answered ${answer.status}`]
  if (!isAcknowledged(answer))
    return rows.length === 0 ? [] : [`was refused with ${answer.status} and has an effect`]
  return rows.length > 1 ? [`has ${rows.length} effects`] : findEffectFaults(write, answer, rows[0])
}

/**
 * Repeats a write that got no response. If the journal shows that the write was done, the new
 * response must be a replay.
 */
async function repeatUnansweredWrite(
  service: ServiceConnectionPool,
  sentWrite: SentWrite,
  hadEffect: boolean,
): Promise<string[]> {
  sentWrite.answer = await service.send(sentWrite.write)
  if (!sentWrite.answer) return ['cannot be sent again']
  return hadEffect && !sentWrite.answer.replayed ? ['had its effect and no kept answer'] : []
}

function findLostWriteFaults({ write, answer }: SentWrite, hadEffect: boolean): string[] {
  return isAcknowledged(answer) && !hadEffect && !canSucceedWithoutChange(write)
    ? ['was acknowledged and is lost']
    : []
}

/**
 * Sends every write of a round again under its key, and compares the responses with the journal. A
 * write that had a response must get the same response again. A write that had none is sent twice,
 * and both responses must be the same. Each key may have at most one journal row. `since` is the
 * number of the last journal row before the round.
 */
export async function checkWrites(
  service: ServiceConnectionPool,
  sent: readonly SentWrite[],
  since: number,
): Promise<WriteCheckReport> {
  const rowsBefore = groupRowsByKey(await service.journal(since))
  const unansweredWrites = sent.filter(({ answer }) => answer === undefined)
  const unansweredEffectCount = unansweredWrites.filter(({ write }) =>
    rowsBefore.has(write.key),
  ).length
  const report: WriteCheckReport = {
    replayed: 0,
    unanswered: unansweredWrites.length,
    unansweredWithEffect: unansweredEffectCount,
    violations: [],
  }
  const addViolations = ({ write }: SentWrite, faults: string[]) => {
    report.violations.push(...faults.map((fault) => `${write.operation} ${write.key} ${fault}`))
  }
  await forEachConcurrently(sent, async (one) => {
    const hadEffect = rowsBefore.has(one.write.key)
    addViolations(
      one,
      one.answer
        ? findLostWriteFaults(one, hadEffect)
        : await repeatUnansweredWrite(service, one, hadEffect),
    )
    if (!one.answer) return
    const replayFaults = await findReplayFaults(service, one.write, one.answer)
    if (replayFaults.length === 0) report.replayed += 1
    addViolations(one, replayFaults)
  })
  const rowsAfter = groupRowsByKey(await service.journal(since))
  for (const sentWrite of sent)
    if (sentWrite.answer)
      addViolations(
        sentWrite,
        findResponseContradictions(
          sentWrite.write,
          sentWrite.answer,
          rowsAfter.get(sentWrite.write.key) ?? [],
        ),
      )
  return report
}
