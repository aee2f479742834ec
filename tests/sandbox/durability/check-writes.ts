import type { JournalRow } from '@/sandbox/http/journal'
import { findReplayFaults } from './check-replay'
import { groupBy } from './group-by'
import type { ServiceConnectionPool } from './service-connection-pool'
import { isAcknowledged, readResponseData, type SentWrite, type Write, type WriteResponse } from './write'

const maxConcurrent = 8

export type WriteReport = { replayed: number; unanswered: number; unansweredWithEffect: number; violations: string[] }

/** Runs `work` for each item, up to eight at a time. The order is not defined. */
export async function forEachConcurrently<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...all]
  const worker = async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) await work(one)
  }
  await Promise.all(Array.from({ length: maxConcurrent }, worker))
}

function groupRowsByKey(rows: readonly JournalRow[]): ReadonlyMap<string, JournalRow[]> {
  return groupBy(rows, ({ idempotency_key }) => idempotency_key ?? '')
}

/**
 * True for a release: releasing an already released payment changes nothing. Other moves write the key into the history as their reason.
 */
const mayChangeNothing = ({ operation }: Write): boolean => operation.endsWith('.release')

const isUnexpected = ({ status }: WriteResponse): boolean => status >= 500 || [401, 403, 429].includes(status)

function findEffectFaults(write: Write, answer: WriteResponse, row: JournalRow | undefined): string[] {
  if (!row) return mayChangeNothing(write) && !answer.text.includes(write.key) ? [] : ['was acknowledged and has no effect']
  const { id } = readResponseData(answer)
  if (row.target_id !== id) return [`answered ${id}, and the journal says ${row.target_id}`]
  return row.operation === write.operation ? [] : [`is in the journal as ${row.operation}`]
}

/** Returns the contradictions between the response to a write and the journal rows of its key. */
function findDisagreements(write: Write, answer: WriteResponse, rows: readonly JournalRow[]): string[] {
  if (isUnexpected(answer)) return [`was answered ${answer.status}`]
  if (!isAcknowledged(answer)) return rows.length === 0 ? [] : [`was refused with ${answer.status} and has an effect`]
  return rows.length > 1 ? [`has ${rows.length} effects`] : findEffectFaults(write, answer, rows[0])
}

/** Repeats a write that got no response. If the journal shows that it was done, the new response must be a replay. */
async function repeatUnanswered(service: ServiceConnectionPool, one: SentWrite, hadEffect: boolean): Promise<string[]> {
  one.answer = await service.send(one.write)
  if (!one.answer) return ['cannot be sent again']
  return hadEffect && !one.answer.replayed ? ['had its effect and no kept answer'] : []
}

function findLostWrite({ write, answer }: SentWrite, hadEffect: boolean): string[] {
  return isAcknowledged(answer) && !hadEffect && !mayChangeNothing(write) ? ['was acknowledged and is lost'] : []
}

/**
 * Repeats every write of a round under its key, and compares responses with the journal. A write with a response must get the same one
 * again. A write without one gets it now, and must get it again. Each key may have one journal row at most. `since` is the last journal
 * number before the round.
 */
export async function checkWrites(service: ServiceConnectionPool, sent: readonly SentWrite[], since: number): Promise<WriteReport> {
  const rowsBefore = groupRowsByKey(await service.journal(since))
  const unansweredWrites = sent.filter(({ answer }) => answer === undefined)
  const unansweredWithEffect = unansweredWrites.filter(({ write }) => rowsBefore.has(write.key)).length
  const report: WriteReport = { replayed: 0, unanswered: unansweredWrites.length, unansweredWithEffect, violations: [] }
  const addViolations = ({ write }: SentWrite, faults: string[]) => {
    report.violations.push(...faults.map((fault) => `${write.operation} ${write.key} ${fault}`))
  }
  await forEachConcurrently(sent, async (one) => {
    const hadEffect = rowsBefore.has(one.write.key)
    addViolations(one, one.answer ? findLostWrite(one, hadEffect) : await repeatUnanswered(service, one, hadEffect))
    if (!one.answer) return
    const faults = await findReplayFaults(service, one.write, one.answer)
    if (faults.length === 0) report.replayed += 1
    addViolations(one, faults)
  })
  const rowsAfter = groupRowsByKey(await service.journal(since))
  for (const one of sent) if (one.answer) addViolations(one, findDisagreements(one.write, one.answer, rowsAfter.get(one.write.key) ?? []))
  return report
}
