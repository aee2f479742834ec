import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Input } from '@/lib/operations/registry'
import { accountsLearnt } from './account-index'
import { type AuditEntry, recordAudit } from './audit/chain'
import { doneBy } from './audit/client'
import type { deskEvents } from './audit/codes'
import { exportHead, exportLines } from './export-rows'
import { environmentOf, permit } from './guard'
import { handler } from './http/handler'
import { log } from './log'
import { parseInput, queryFields } from './proxy/input'
import { readService } from './proxy/service-read'
import { accountNamed, inBackground, type ScopedAccount } from './scoped-account'
import type { Actor } from './session-rows'

/** Rows of one file at most: beyond that a spreadsheet gives up, and so many pages would starve the people at work. */
const mostRows = 100_000
const pageSize = 1000
/** A pause between pages (milliseconds): the service's rate budget is shared, and people come first. */
const breath = 100
/** How often a page that there is no room for is tried. */
const mostTries = 60

/** Who is writing a file now; one at a time for each person and process. */
const writing = new Set<string>()

type Filter = Input<'payments.search'>
type Export = { actor: Actor; scope: ScopedAccount; filter: Filter; names: string[]; zone: string; promised: number }

function parseZone(word: string | null): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: word ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    const detail = 'must be the name of a time zone, like America/New_York'
    throw new AppError('invalid_input', `zone: ${detail}`, { items: [{ reference: 'zone', detail }] })
  }
}

const pageOf = (filter: Filter, page_number: number, size: number): Filter => ({
  ...filter,
  page_number,
  page_size: size,
  // New payments come last by id, so a page that was written does not shift under the next.
  sort_by: 'id',
  sort_order: 'asc',
})

async function linesOf({ scope, zone }: Export, payments: readonly PaymentSummary[]): Promise<string> {
  const targetOf = (payment: PaymentSummary) => `${payment.payment_type}s/${payment.id}`
  const learnt = scope.accountId ? null : await accountsLearnt(scope.environment, payments.map(targetOf))
  return exportLines(payments, zone, (payment) => scope.accountId ?? learnt?.get(targetOf(payment)) ?? null)
}

/** One page of the file. A file that breaks off is worse than a slow one: where there is no room for the call, it waits for some. */
async function rowsOf({ filter, scope }: Export, page: number, signal: AbortSignal): Promise<PaymentSummary[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await readService('payments.search', pageOf(filter, page, pageSize), inBackground(scope), signal)).data
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many' || tries === mostTries) throw error
      await wait((error.retryAfter ?? 1) * 1000, undefined, { signal })
    }
  }
}

async function* write(asked: Export, signal: AbortSignal): AsyncGenerator<string, number> {
  yield exportHead(asked.zone)
  let written = 0
  for (let page = 1; written < asked.promised + pageSize; page += 1) {
    const data = await rowsOf(asked, page, signal)
    if (data.length > 0) yield await linesOf(asked, data)
    written += data.length
    if (data.length < pageSize) break
    await wait(breath, undefined, { signal })
  }
  return written
}

type Outcome = (typeof deskEvents)['payments.export'][number]

const auditOf = ({ actor, scope, names, promised }: Export, outcome: Outcome): AuditEntry => ({
  code: `payments.export.${outcome}`,
  ...doneBy(actor),
  environment: scope.environment,
  account: scope.accountId,
  filters: names,
  promised,
})

/** The file as a stream. Its end is on record before its last bytes are told to be the last; what breaks off breaks the download too. */
function streamOf(asked: Export, signal: AbortSignal): ReadableStream<Uint8Array> {
  const lines = write(asked, signal)
  const encoder = new TextEncoder()
  const end = (outcome: Outcome, written?: number) => {
    writing.delete(asked.actor.id)
    return recordAudit({ ...auditOf(asked, outcome), ...(written === undefined ? {} : { written }) })
  }
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await lines.next()
        if (!next.done) return controller.enqueue(encoder.encode(next.value))
        await end('applied', next.value)
        controller.close()
      } catch (error) {
        log.warn({ event: 'export.broken', environment: asked.scope.environment })
        await end('broken').catch(() => log.error({ event: 'export.not_recorded' }))
        controller.error(error)
      }
    },
    async cancel() {
      await end('cancelled')
    },
  })
}

async function askedOf(request: Request, actor: Actor, environment: Environment): Promise<Export> {
  const query = new URL(request.url).searchParams
  const { zone, ...fields } = queryFields(query)
  const scope = await permit(actor, { environment, operation: 'payments.search', account: query.get('account'), target: null })
  if (!scope.roles.some((role) => role !== 'viewer'))
    throw new AppError('forbidden', 'Only an operator, a reviewer or an admin can export.')
  const filter = parseInput('payments.search', fields) as Filter
  const { meta } = await readService('payments.search', pageOf(filter, 1, 1), scope)
  const promised = meta.total_items ?? 0
  if (promised > mostRows) {
    const detail = `${promised.toLocaleString('en-US')} payments match; a file holds at most ${mostRows.toLocaleString('en-US')}: narrow the search`
    throw new AppError('too_large', detail)
  }
  return { actor, scope, filter, names: Object.keys(fields).sort(), zone: parseZone(typeof zone === 'string' ? zone : null), promised }
}

/**
 * Serves all payments that match a search as CSV: `GET /api/{environment}/exports?<filters>&account=&zone=`. The header `Export-Count` promises
 * how many rows will come; start and end are audited with names of filters and counts, never with values.
 */
export const serveExport = handler<{ environment: string }>(
  { name: 'payments.export', from: 'own readers' },
  async ({ request, params, actor, requestId, about }) => {
    about({ account: accountNamed(new URL(request.url).searchParams.get('account')) })
    const asked = await askedOf(request, actor, environmentOf(params.environment))
    if (writing.has(actor.id)) throw new AppError('too_many', 'You have an export under way: wait for it or cancel it')
    writing.add(actor.id)
    try {
      await recordAudit(auditOf(asked, 'start'))
    } catch (error) {
      writing.delete(actor.id)
      throw error
    }
    const name = `payments-${asked.scope.environment}-${new Date().toISOString().slice(0, 10)}.csv`
    return new Response(streamOf(asked, request.signal), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'export-count': String(asked.promised),
        'request-id': requestId,
      },
    })
  },
)
