import 'server-only'
import * as z from 'zod'
import { whyNoExport } from '@/lib/domain/export-rules'
import { type LimitType, limitTypes, limitWords } from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import { callsOf, countCalls, requireCallFilter, requireLogReader } from '@/lib/features/activity/server/activity'
import { listDeletions } from '@/lib/features/deletions/server/deletions'
import { type OverviewRow, overviewRows } from '@/lib/features/limits/server/overview'
import type { Headroom } from '@/lib/features/limits/usage'
import { countWebhooks, listWebhooks, rowsIn } from '@/lib/features/webhooks/server/webhooks'
import type { Account } from '@/lib/operations/accounts.schema'
import type { LoggedCall, LogPlace } from '@/lib/operations/activity'
import { type DeletionView, deletionStates, deletionsFilter } from '@/lib/operations/deletion'
import { type WebhookView, webhooksFilter } from '@/lib/operations/webhooks'
import { accountsGranted, parseAccount, scopeOf } from '@/lib/server/auth/scoped-account'
import { readPage } from '@/lib/server/http/downloads'
import { parseFields } from '@/lib/server/http/input'
import { account, type ExportColumn, type ExportRequest, type ExportSource, moment, ownPage, pageSize, plainAmount, text } from './csv'
import { serviceLists } from './lists'
import { namesIn, openServiceList } from './service-list'

const bare = (accountId: string | null) => accountId && parseAccount(accountId)

/** Columns of the request log. Bodies are never stored. */
const requestColumns: readonly ExportColumn<LoggedCall>[] = [
  text('id', ({ id }) => id),
  text('operation', ({ operation }) => operation),
  text('status', ({ status }) => status),
  moment('at', ({ at }) => at),
  text('person', ({ person }) => person),
  account(({ account: named }) => bare(named)),
  text('target', ({ target }) => target),
  text('took_ms', ({ took_ms }) => took_ms),
  text('attempts', ({ attempts }) => attempts),
  text('replayed', ({ replayed }) => (replayed ? 'yes' : 'no')),
  text('error_code', ({ error_code }) => error_code),
  text('error_detail', ({ error_detail }) => error_detail),
  text('request_id', ({ request_id }) => request_id),
  text('api_request_id', ({ api_request_id }) => api_request_id),
  text('action_id', ({ action_id }) => action_id),
]

/** Columns of deletion requests. They name only colleagues, because a deleted customer has no name. */
const deletionColumns: readonly ExportColumn<DeletionView>[] = [
  text('id', ({ id }) => id),
  text('customer_id', ({ customer_id }) => customer_id),
  text('state', ({ state }) => state),
  account(({ account: named }) => bare(named)),
  text('asked_by', ({ asker }) => asker),
  text('legal_basis', ({ basis }) => basis),
  text('identity_check', ({ identity_check }) => identity_check),
  text('ticket', ({ ticket }) => ticket),
  text('due_on', ({ due_on }) => due_on),
  text('requested_by', ({ requested_by }) => requested_by),
  moment('created_at', ({ created_at }) => created_at),
  text('executed_by', ({ executed_by }) => executed_by),
  moment('executed_at', ({ executed_at }) => executed_at),
  text('certificate_hash', ({ certificate_hash }) => certificate_hash),
]

/** Columns of webhooks, or of refused deliveries by cause and day. The payloads are not exported. */
const webhookColumns: readonly ExportColumn<WebhookView>[] = [
  text('id', ({ id }) => id),
  text('event_type', ({ event_type }) => event_type),
  text('event_id', ({ event_id }) => event_id),
  text('state', ({ state }) => state),
  text('verified', ({ verified }) => (verified ? 'yes' : 'no')),
  moment('received_at', ({ received_at }) => received_at),
  moment('processed_at', ({ processed_at }) => processed_at),
  account(({ account: named }) => bare(named)),
  text('target', ({ target }) => target),
  text('tries', ({ tries }) => tries),
  text('note', ({ note }) => note),
  text('deliveries', ({ count }) => count),
]

/** Opens the request log for export, up to now: later calls, such as those of the export, would shift its pages. Throws `forbidden`. */
export async function openRequests({ actor, environment, account: named, filters }: ExportRequest): Promise<ExportSource> {
  requireLogReader(actor, environment)
  const filter = requireCallFilter(filters)
  const accountId = named ? parseAccount(named) : null
  const pageOptions = { size: pageSize, before: new Date(), ...(accountId ? { account: accountId } : {}) }
  const scope = scopeOf(actor, environment, accountId ?? accountsGranted(actor.grants, environment)?.[0] ?? null)
  const [promised, nameOf] = await Promise.all([countCalls(actor, environment, filter, pageOptions), namesIn(actor, scope)])
  let position: LogPlace | undefined
  return {
    many: 'requests',
    columns: requestColumns,
    accountId,
    nameOf,
    promised,
    nextPage: async () => {
      const { calls, hasOlder } = await readPage(() => callsOf(actor, environment, filter, { ...pageOptions, place: position }))
      const last = calls.at(-1)
      if (last) position = { way: 'older', at: last.at, id: last.id }
      return ownPage(calls, hasOlder)
    },
  }
}

/** Opens the deletion requests for export. Throws `forbidden`. */
export async function openDeletions({ actor, environment, account: named, filters }: ExportRequest): Promise<ExportSource> {
  const accountId = named ? parseAccount(named) : null
  const scope = scopeOf(actor, environment, accountId)
  const why = whyNoExport(scope.roles)
  if (why) throw new AppError('forbidden', why)
  // In ascending order, requests that are created during the export come last.
  const order = { sort_by: 'created_at', sort_order: 'asc' } as const
  const filter = parseFields(deletionsFilter, filters)
  let after: string | null = null
  const read = (page_size: number, from: string | null = null) =>
    listDeletions(actor, environment, { ...filter, ...order, account: accountId, page_number: 1, page_size }, from)
  const [{ counts }, nameOf] = await Promise.all([read(1), namesIn(actor, scope)])
  const promised = deletionStates.reduce((sum, each) => sum + (filter.state && each !== filter.state ? 0 : (counts[each] ?? 0)), 0)
  return {
    many: 'deletions',
    columns: deletionColumns,
    accountId,
    nameOf,
    promised,
    nextPage: async () => {
      const { deletions } = await readPage(() => read(pageSize, after))
      after = deletions.at(-1)?.id ?? after
      return ownPage(deletions, deletions.length === pageSize)
    },
  }
}

export async function openWebhooks({ actor, environment, account: named, filters }: ExportRequest): Promise<ExportSource> {
  const accountId = named ? parseAccount(named) : null
  // In ascending order, webhooks that are received during the export come last.
  const listRequest = { ...parseFields(webhooksFilter, filters), sort_order: 'asc', account: accountId } as const
  let page = 0
  let after: string | null = null
  const [counts, nameOf] = await Promise.all([
    countWebhooks(environment, listRequest),
    namesIn(actor, scopeOf(actor, environment, accountId)),
  ])
  return {
    many: 'webhooks',
    columns: webhookColumns,
    accountId,
    nameOf,
    promised: rowsIn(counts, listRequest),
    nextPage: async () => {
      page += 1
      const paging = { page_number: listRequest.state === 'refused' ? page : 1, page_size: pageSize }
      const webhooks = await readPage(() => listWebhooks(environment, { ...listRequest, ...paging }, after))
      after = webhooks.at(-1)?.id ?? after
      return ownPage(webhooks, webhooks.length === pageSize)
    },
  }
}

type Line = { id: string; name: string; type: LimitType; room: OverviewRow['types'][LimitType] }

const bareOf = ({ id }: Line) => id

const readRoom = <T>({ room }: Line, of: (room: Exclude<Line['room'], { error: string }>) => T): T | undefined =>
  'error' in room ? undefined : of(room)

const figure = (name: Headroom['name'], of: 'limit' | 'used') =>
  text<Line>(`${name}_${of}`, (line) => {
    const value = readRoom(line, ({ rooms }) => rooms.find((room) => room.name === name)?.[of])
    if (value === undefined) return ''
    return limitWords[name].counts ? value : plainAmount(value)
  })

const columns: readonly ExportColumn<Line>[] = [
  text('id', ({ id, type }) => `${id} ${type}`),
  text('payment_type', ({ type }) => type),
  account(bareOf),
  text('one_payment_limit', (line) => {
    const cents = readRoom(line, ({ maximum }) => maximum)
    return cents === undefined ? '' : plainAmount(cents)
  }),
  figure('daily_amount', 'limit'),
  figure('daily_amount', 'used'),
  figure('monthly_amount', 'limit'),
  figure('monthly_amount', 'used'),
  figure('monthly_count', 'limit'),
  figure('monthly_count', 'used'),
  text('used_is_at_least', (line) => readRoom(line, ({ atLeast }) => (atLeast ? 'yes' : 'no'))),
  moment('read_at', (line) => readRoom(line, ({ readAt }) => readAt)),
  text('could_not_be_read', ({ room }) => ('error' in room ? room.error : '')),
]

const linesOf = ({ id, name, types }: OverviewRow): Line[] => limitTypes.map((type) => ({ id, name, type, room: types[type] }))

/** Opens the active accounts' limits and their use for export, two lines for each account. Throws the errors of the list of accounts. */
export async function openLimits(asked: ExportRequest): Promise<ExportSource> {
  parseFields(z.strictObject({}), asked.filters)
  const active = await openServiceList({ ...serviceLists.accounts, fixed: { status: 'active' } }, { ...asked, filters: {} })
  const { accountId } = active
  return {
    ...active,
    many: 'limits',
    columns,
    promised: null,
    nextPage: async (signal) => {
      const read = await active.nextPage(signal)
      const items: readonly Account[] = read.items
      const scopedAccounts = items.filter(({ id }) => accountId === null || id === accountId)
      const rows = await overviewRows(asked.environment, asked.actor, scopedAccounts)
      return { ...ownPage(rows.flatMap(linesOf), read.isFull), unreadable: read.unreadable }
    },
  }
}
