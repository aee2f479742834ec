import type { ActionView, Answer } from '@/lib/operations/answer'
import type { WriteId } from '@/lib/operations/service-operations'
import { newKey } from '@/tests/harness/person'
import { type OddDesk, startOddDesk, type Write } from './odd-desk'
import { faultsOf, findObjects, pagesOf } from './pages'
import { prepareWrite, writeIds } from './writes'

/** What a seed came to: how much was looked at, and everything that was wrong, in words that begin with the page or the operation. */
export type Round = { seed: number; pages: number; applied: number; refused: number; faults: string[]; refusals: string[] }

/** The part of a list that is a seed's: with `parts` seeds in a row all of it has been had. */
const partOf = <T>(all: readonly T[], seed: number, parts: number): T[] => all.filter((_, at) => at % parts === seed % parts)

const isFailure = (line: string): boolean =>
  /"event":"(?:request\.failed|action\.not_settled|action\.answer_unreadable|export\.broken)"|"level":(?:50|60)/.test(line)

/** A desk that is asked for its pages and sent its writes while the service speaks oddly. */
export type OddRounds = Awaited<ReturnType<typeof startOddRounds>>

/** Starts a desk and finds what its pages are about. */
export async function startOddRounds() {
  const desk = await startOddDesk()
  const [first] = await desk.service<{ id: string }[]>('GET', '/accounts?status=active&page_size=1')
  const account = `acct_${first?.id}`
  await desk.sandbox.configure(first?.id ?? '', { allow_data_unmask: true })
  const objects = await findObjects(desk, account)
  let told = desk.dashboard.log().length

  async function page(path: string): Promise<string[]> {
    const response = await desk.admin.send(path)
    return faultsOf(response.status, await response.text())
  }

  // A form that the browser draws has no heading in its first HTML: that is no fault of what the service says.
  const usual = new Set<string>()
  for (const [name, path] of Object.entries(pagesOf(objects, account, 0))) {
    for (const fault of await page(path)) usual.add(`${name} ${fault}`)
  }

  /** Lines of failure since the last time. */
  function failures(): string[] {
    const lines = desk.logSince(told)
    told += lines.length
    return lines.split('\n').filter(isFailure)
  }

  return {
    /** The addresses of all pages at a seed, by their folders. */
    pagesAt: (seed: number) => pagesOf(objects, account, seed),
    desk,
    usual: [...usual],
    /** Draws a part of all pages and sends a part of all writes at a seed; with `parts` 1 it is all of them. */
    run: async (seed: number, parts: { pages: number; writes: number }): Promise<Round> => {
      await desk.speak('odd', seed)
      const round: Round = { seed, pages: 0, applied: 0, refused: 0, faults: [], refusals: [] }
      for (const [name, path] of partOf(Object.entries(pagesOf(objects, account, seed)), seed, parts.pages)) {
        round.pages += 1
        round.faults.push(...(await page(path)).map((fault) => `${name} ${fault}`).filter((fault) => !usual.has(fault)))
      }
      for (const operation of partOf(writeIds, seed, parts.writes)) await write(desk, account, operation, round)
      round.faults.push(...failures().map((line) => `log ${line.slice(0, 300)}`))
      return round
    },
    stop: desk.stop,
  }
}

/** A bridge token changes nothing; each limit or method of a capability request is one effect. */
const effectsOf = (operation: WriteId): number => ({ 'bridge.initialize': 0, 'capability_requests.create': 2 })[operation as string] ?? 1

/** Sends one write and holds what the desk says of it against the service's own journal. */
async function write(desk: OddDesk, account: string, operation: WriteId, round: Round): Promise<void> {
  const asked = await prepareWrite(operation, { desk, account }).catch((error: unknown) => String(error))
  if (typeof asked === 'string') round.faults.push(`${operation} could not be prepared: ${asked.slice(0, 300)}`)
  else await judge(desk, operation, asked, round)
}

/** Refused, or of an amount that cannot be read and so waiting for a second person. */
function isNotDone(status: number, { action, error }: Answer<unknown>): boolean {
  if (action?.state === 'awaiting_approval') return status === 202
  if (action) return status >= 400 && action.state === 'refused'
  return (status >= 400 && status < 500) || error?.code === 'not_sent'
}

async function judge(desk: OddDesk, operation: WriteId, asked: Write, round: Round): Promise<void> {
  const key = newKey()
  const { status, body } = await desk.send(operation, asked, key)
  const effects = await desk.effectsOf(key)
  const action: ActionView | undefined = body.action
  const said = `${status} ${action?.state ?? 'no action'} ${body.error?.code ?? ''} ${body.error?.detail ?? ''}`.trim()
  const isApplied = status < 300 && action?.state === 'applied' && effects.length === effectsOf(operation)
  if (isApplied) round.applied += 1
  else if (isNotDone(status, body) && effects.length === 0) {
    round.refused += 1
    round.refusals.push(`${operation} ${said}`)
  } else round.faults.push(`${operation} ${said} with ${effects.length} effects`)
}
