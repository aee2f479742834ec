import type { JournalRow } from '@/sandbox/http/journal'
import { replayFaults } from './check-replay'
import { groupBy } from './group-by'
import type { ServiceLine } from './service-line'
import { type Answered, dataOf, isAcknowledged, type Sent, type Write } from './write'

const atOnce = 8

export type WriteReport = { replayed: number; unanswered: number; unansweredWithEffect: number; violations: string[] }

/** Runs `work` for each item, up to eight at a time. The order is not defined. */
export async function forEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...all]
  const worker = async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function rowsByKey(rows: readonly JournalRow[]): ReadonlyMap<string, JournalRow[]> {
  return groupBy(rows, ({ idempotency_key }) => idempotency_key ?? '')
}

/**
 * True for a release: releasing an already released payment changes nothing. Other moves write the key into the history as their reason.
 */
const mayChangeNothing = ({ operation }: Write): boolean => operation.endsWith('.release')

const unexpected = ({ status }: Answered): boolean => status >= 500 || [401, 403, 429].includes(status)

function effectFaults(write: Write, answer: Answered, row: JournalRow | undefined): string[] {
  if (!row) return mayChangeNothing(write) && !answer.text.includes(write.key) ? [] : ['was acknowledged and has no effect']
  const { id } = dataOf(answer)
  if (row.target_id !== id) return [`answered ${id}, and the journal says ${row.target_id}`]
  return row.operation === write.operation ? [] : [`is in the journal as ${row.operation}`]
}

/** Returns the contradictions between the response to a write and the journal rows of its key. */
function disagreements(write: Write, answer: Answered, rows: readonly JournalRow[]): string[] {
  if (unexpected(answer)) return [`was answered ${answer.status}`]
  if (!isAcknowledged(answer)) return rows.length === 0 ? [] : [`was refused with ${answer.status} and has an effect`]
  return rows.length > 1 ? [`has ${rows.length} effects`] : effectFaults(write, answer, rows[0])
}

/** Repeats a write that got no response. If the journal shows that it was done, the new response must be a replay. */
async function answerLate(line: ServiceLine, one: Sent, hadEffect: boolean): Promise<string[]> {
  one.answer = await line.send(one.write)
  if (!one.answer) return ['cannot be sent again']
  return hadEffect && !one.answer.replayed ? ['had its effect and no kept answer'] : []
}

function lost({ write, answer }: Sent, hadEffect: boolean): string[] {
  return isAcknowledged(answer) && !hadEffect && !mayChangeNothing(write) ? ['was acknowledged and is lost'] : []
}

/**
 * Repeats every write of a round under its key, and compares responses with the journal. A write with a response must get the same one
 * again. A write without one gets it now, and must get it again. Each key may have one journal row at most. `since` is the last journal
 * number before the round.
 */
export async function checkWrites(line: ServiceLine, sent: readonly Sent[], since: number): Promise<WriteReport> {
  const before = rowsByKey(await line.journal(since))
  const cut = sent.filter(({ answer }) => answer === undefined)
  const unansweredWithEffect = cut.filter(({ write }) => before.has(write.key)).length
  const report: WriteReport = { replayed: 0, unanswered: cut.length, unansweredWithEffect, violations: [] }
  const blame = ({ write }: Sent, faults: string[]) => {
    report.violations.push(...faults.map((fault) => `${write.operation} ${write.key} ${fault}`))
  }
  await forEach(sent, async (one) => {
    const hadEffect = before.has(one.write.key)
    blame(one, one.answer ? lost(one, hadEffect) : await answerLate(line, one, hadEffect))
    if (!one.answer) return
    const faults = await replayFaults(line, one.write, one.answer)
    if (faults.length === 0) report.replayed += 1
    blame(one, faults)
  })
  const after = rowsByKey(await line.journal(since))
  for (const one of sent) if (one.answer) blame(one, disagreements(one.write, one.answer, after.get(one.write.key) ?? []))
  return report
}
