import type { ActionView, ApiAnswer } from '@/lib/operations/answer'
import type { WriteId } from '@/lib/operations/service-operations'
import { createIdempotencyKey } from '@/tests/harness/person'
import { type OddServiceDesk, type PreparedWrite, startOddServiceDesk } from './odd-desk'
import { buildPageUrls, findObjectIds, findPageFaults } from './pages'
import { prepareWrite, writeIds } from './writes'

/**
 * `faults` are texts that begin with the place of the fault: the page's folder, the operation, or
 * `log`.
 */
export type RoundResult = {
  seed: number
  pages: number
  applied: number
  refused: number
  faults: string[]
  refusals: string[]
}

/**
 * Returns every `parts`-th item. The seed determines the first one, so that `parts` consecutive
 * seeds cover the whole list.
 */
const selectShareForSeed = <T>(all: readonly T[], seed: number, parts: number): T[] =>
  all.filter((_, at) => at % parts === seed % parts)

const isFailureLine = (line: string): boolean =>
  /"event":"(?:request\.failed|action\.not_settled|action\.answer_unreadable|export\.broken)"|"level":(?:50|60)/.test(
    line,
  )

export type RoundRunner = Awaited<ReturnType<typeof startRoundRunner>>

export async function startRoundRunner() {
  const desk = await startOddServiceDesk()
  const [first] = await desk.service<{ id: string }[]>('GET', '/accounts?status=active&page_size=1')
  const account = `acct_${first?.id}`
  await desk.sandbox.configure(first?.id ?? '', { allow_data_unmask: true })
  const objectIds = await findObjectIds(desk, account)
  let logOffset = desk.dashboard.log().length

  async function fetchPageFaults(path: string): Promise<string[]> {
    const response = await desk.admin.send(path)
    return findPageFaults(response.status, await response.text())
  }

  // Faults that pages have even in the `document` dialect. They do not count: for example, a form
  // that only the browser renders has no heading in the server's HTML.
  const baselineFaults = new Set<string>()
  for (const [name, path] of Object.entries(buildPageUrls(objectIds, account, 0))) {
    for (const fault of await fetchPageFaults(path)) baselineFaults.add(`${name} ${fault}`)
  }

  function readLogFailures(): string[] {
    const lines = desk.logSince(logOffset)
    logOffset += lines.length
    return lines.split('\n').filter(isFailureLine)
  }

  return {
    pagesAt: (seed: number) => buildPageUrls(objectIds, account, seed),
    desk,
    usual: [...baselineFaults],
    /** Opens every `parts.pages`-th page and sends every `parts.writes`-th write. */
    run: async (seed: number, parts: { pages: number; writes: number }): Promise<RoundResult> => {
      await desk.speak('odd', seed)
      const round: RoundResult = {
        seed,
        pages: 0,
        applied: 0,
        refused: 0,
        faults: [],
        refusals: [],
      }
      for (const [name, path] of selectShareForSeed(
        Object.entries(buildPageUrls(objectIds, account, seed)),
        seed,
        parts.pages,
      )) {
        round.pages += 1
        round.faults.push(
          ...(await fetchPageFaults(path))
            .map((fault) => `${name} ${fault}`)
            .filter((fault) => !baselineFaults.has(fault)),
        )
      }
      for (const operation of selectShareForSeed(writeIds, seed, parts.writes))
        await runWrite(desk, account, operation, round)
      round.faults.push(...readLogFailures().map((line) => `log ${line.slice(0, 300)}`))
      return round
    },
    stop: desk.stop,
  }
}

/**
 * A bridge token changes nothing. This run's capability request asks for two capabilities, and the
 * service records each.
 */
const countExpectedEffects = (operation: WriteId): number =>
  ({ 'bridge.initialize': 0, 'capability_requests.create': 2 })[operation as string] ?? 1

async function runWrite(
  desk: OddServiceDesk,
  account: string,
  operation: WriteId,
  round: RoundResult,
): Promise<void> {
  const preparedWrite = await prepareWrite(operation, { desk, account }).catch((error: unknown) =>
    String(error),
  )
  if (typeof preparedWrite === 'string')
    round.faults.push(`${operation} could not be prepared: ${preparedWrite.slice(0, 300)}`)
  else await assessWrite(desk, operation, preparedWrite, round)
}

/**
 * True if the write was refused, or if it waits for approval. The latter happens if the approval
 * policy cannot read the amount in an odd response.
 */
function isRefusedOrWaiting(status: number, { action, error }: ApiAnswer<unknown>): boolean {
  if (action?.state === 'awaiting_approval') return status === 202
  if (action) return status >= 400 && action.state === 'refused'
  return (status >= 400 && status < 500) || error?.code === 'not_sent'
}

async function assessWrite(
  desk: OddServiceDesk,
  operation: WriteId,
  write: PreparedWrite,
  round: RoundResult,
): Promise<void> {
  const idempotencyKey = createIdempotencyKey()
  const { status, body } = await desk.send(operation, write, idempotencyKey)
  const effects = await desk.effectsOf(idempotencyKey)
  const action: ActionView | undefined = body.action
  const outcomeText =
    `${status} ${action?.state ?? 'no action'} ${body.error?.code ?? ''} ${body.error?.detail ?? ''}`.trim()
  const isApplied =
    status < 300 &&
    action?.state === 'applied' &&
    effects.length === countExpectedEffects(operation)
  if (isApplied) round.applied += 1
  else if (isRefusedOrWaiting(status, body) && effects.length === 0) {
    round.refused += 1
    round.refusals.push(`${operation} ${outcomeText}`)
  } else round.faults.push(`${operation} ${outcomeText} with ${effects.length} effects`)
}
