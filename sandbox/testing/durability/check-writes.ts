import type { JournalRow } from '@/sandbox/http/journal'
import { replayFaults } from './check-replay'
import { groupBy } from './group-by'
import type { ServiceLine } from './service-line'
import { type Answered, dataOf, isAcknowledged, type Sent, type Write } from './write'

const atOnce = 8

/** What became of the writes of a round, and everything about them that must not be. */
export type WriteReport = { replayed: number; unanswered: number; unansweredWithEffect: number; violations: string[] }

/** Does something for each of many, a few at a time. */
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

/** Hold, release and cancel put the key into the history as their reason; a release of what is released already changes nothing. */
const mayChangeNothing = ({ operation }: Write): boolean => operation.endsWith('.release')

const unexpected = ({ status }: Answered): boolean => status >= 500 || [401, 403, 429].includes(status)

function effectFaults(write: Write, answer: Answered, row: JournalRow | undefined): string[] {
  if (!row) return mayChangeNothing(write) && !answer.text.includes(write.key) ? [] : ['was acknowledged and has no effect']
  const { id } = dataOf(answer)
  if (row.target_id !== id) return [`answered ${id}, and the journal says ${row.target_id}`]
  return row.operation === write.operation ? [] : [`is in the journal as ${row.operation}`]
}

/** What the answer to a write and the rows of its key say against each other. */
function disagreements(write: Write, answer: Answered, rows: readonly JournalRow[]): string[] {
  if (unexpected(answer)) return [`was answered ${answer.status}`]
  if (!isAcknowledged(answer)) return rows.length === 0 ? [] : [`was refused with ${answer.status} and has an effect`]
  return rows.length > 1 ? [`has ${rows.length} effects`] : effectFaults(write, answer, rows[0])
}

/** A write whose line was cut gets its answer now; if its effect was there already, that answer was kept with it. */
async function answerLate(line: ServiceLine, one: Sent, hadEffect: boolean): Promise<string[]> {
  one.answer = await line.send(one.write)
  if (!one.answer) return ['cannot be sent again']
  return hadEffect && !one.answer.replayed ? ['had its effect and no kept answer'] : []
}

function lost({ write, answer }: Sent, hadEffect: boolean): string[] {
  return isAcknowledged(answer) && !hadEffect && !mayChangeNothing(write) ? ['was acknowledged and is lost'] : []
}

/**
 * Sends every write of a round again under its key: an answered one must get its own answer back, one without an answer gets one now, and
 * that one back when it is sent once more. Then each key's rows in the journal must be what its answer says, one effect at most. `since` is
 * the journal's last number before the round.
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
