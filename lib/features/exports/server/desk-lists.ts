import 'server-only'
import * as z from 'zod'
import { whyNoExport } from '@/lib/domain/export-rules'
import { type LimitType, limitTypes, limitWords } from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import { countCalls, readCallsPage, requireCallFilter, requireLogReader } from '@/lib/features/activity/server/activity'
import { listDeletions } from '@/lib/features/deletions/server/deletions'
import { type OverviewRow, overviewRows } from '@/lib/features/limits/server/overview'
import type { Headroom } from '@/lib/features/limits/usage'
import { countRows, countWebhooks, listWebhooks } from '@/lib/features/webhooks/server/webhooks'
import type { Account } from '@/lib/operations/accounts.schema'
import type { LogCursor, LoggedCall } from '@/lib/operations/activity'
import { type DeletionView, deletionStates, deletionsFilter } from '@/lib/operations/deletion'
import { type WebhookView, webhooksFilter } from '@/lib/operations/webhooks'
import { accountsGranted, parseAccount, requireScope } from '@/lib/server/auth/scoped-account'
import { readPage } from '@/lib/server/http/downloads'
import { parseFields } from '@/lib/server/http/input'
import {
  accountColumn,
  type ExportColumn,
  type ExportRequest,
  type ExportSource,
  pageSize,
  plainAmount,
  textColumn,
  timeColumn,
  toSourcePage,
} from './csv'
import { serviceLists } from './lists'
import { loadAccountNames, openServiceList } from './service-list'

const parseOptionalAccount = (accountId: string | null) => accountId && parseAccount(accountId)

/** Columns of the request log. Bodies are never stored. */
const requestColumns: readonly ExportColumn<LoggedCall>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('operation', ({ operation }) => operation),
  textColumn('status', ({ status }) => status),
  timeColumn('at', ({ at }) => at),
  textColumn('person', ({ person }) => person),
  accountColumn(({ account: named }) => parseOptionalAccount(named)),
  textColumn('target', ({ target }) => target),
  textColumn('took_ms', ({ took_ms }) => took_ms),
  textColumn('attempts', ({ attempts }) => attempts),
  textColumn('replayed', ({ replayed }) => (replayed ? 'yes' : 'no')),
  textColumn('error_code', ({ error_code }) => error_code),
  textColumn('error_detail', ({ error_detail }) => error_detail),
  textColumn('request_id', ({ request_id }) => request_id),
  textColumn('api_request_id', ({ api_request_id }) => api_request_id),
  textColumn('action_id', ({ action_id }) => action_id),
]

/** Columns of deletion requests. They name only colleagues, because a deleted customer has no name. */
const deletionColumns: readonly ExportColumn<DeletionView>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('customer_id', ({ customer_id }) => customer_id),
  textColumn('state', ({ state }) => state),
  accountColumn(({ account: named }) => parseOptionalAccount(named)),
  textColumn('asked_by', ({ asker }) => asker),
  textColumn('legal_basis', ({ basis }) => basis),
  textColumn('identity_check', ({ identity_check }) => identity_check),
  textColumn('ticket', ({ ticket }) => ticket),
  textColumn('due_on', ({ due_on }) => due_on),
  textColumn('requested_by', ({ requested_by }) => requested_by),
  timeColumn('created_at', ({ created_at }) => created_at),
  textColumn('executed_by', ({ executed_by }) => executed_by),
  timeColumn('executed_at', ({ executed_at }) => executed_at),
  textColumn('certificate_hash', ({ certificate_hash }) => certificate_hash),
]

/** Columns of webhooks, or of refused deliveries by cause and day. The payloads are not exported. */
const webhookColumns: readonly ExportColumn<WebhookView>[] = [
  textColumn('id', ({ id }) => id),
  textColumn('event_type', ({ event_type }) => event_type),
  textColumn('event_id', ({ event_id }) => event_id),
  textColumn('state', ({ state }) => state),
  textColumn('verified', ({ verified }) => (verified ? 'yes' : 'no')),
  timeColumn('received_at', ({ received_at }) => received_at),
  timeColumn('processed_at', ({ processed_at }) => processed_at),
  accountColumn(({ account: named }) => parseOptionalAccount(named)),
  textColumn('target', ({ target }) => target),
  textColumn('tries', ({ tries }) => tries),
  textColumn('note', ({ note }) => note),
  textColumn('deliveries', ({ count }) => count),
]

/** Opens the request log for export, up to now: later calls, such as those of the export, would shift its pages. Throws `forbidden`. */
export async function openRequestsExport({ actor, environment, account: named, filters }: ExportRequest): Promise<ExportSource> {
  requireLogReader(actor, environment)
  const filter = requireCallFilter(filters)
  const accountId = named ? parseAccount(named) : null
  const pageOptions = { size: pageSize, before: new Date(), ...(accountId ? { account: accountId } : {}) }
  const scope = requireScope(actor, environment, accountId ?? accountsGranted(actor.grants, environment)?.[0] ?? null)
  const [promised, nameOf] = await Promise.all([countCalls(actor, environment, filter, pageOptions), loadAccountNames(actor, scope)])
  let position: LogCursor | undefined
  return {
    many: 'requests',
    columns: requestColumns,
    accountId,
    nameOf,
    promised,
    nextPage: async () => {
      const { calls, hasOlder } = await readPage(() => readCallsPage(actor, environment, filter, { ...pageOptions, place: position }))
      const last = calls.at(-1)
      if (last) position = { way: 'older', at: last.at, id: last.id }
      return toSourcePage(calls, hasOlder)
    },
  }
}

/** Opens the deletion requests for export. Throws `forbidden`. */
export async function openDeletionsExport({ actor, environment, account: named, filters }: ExportRequest): Promise<ExportSource> {
  const accountId = named ? parseAccount(named) : null
  const scope = requireScope(actor, environment, accountId)
  const why = whyNoExport(scope.roles)
  if (why) throw new AppError('forbidden', why)
  // In ascending order, requests that are created during the export come last.
  const order = { sort_by: 'created_at', sort_order: 'asc' } as const
  const filter = parseFields(deletionsFilter, filters)
  let after: string | null = null
  const read = (page_size: number, from: string | null = null) =>
    listDeletions(actor, environment, { ...filter, ...order, account: accountId, page_number: 1, page_size }, from)
  const [{ counts }, nameOf] = await Promise.all([read(1), loadAccountNames(actor, scope)])
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
      return toSourcePage(deletions, deletions.length === pageSize)
    },
  }
}

export async function openWebhooksExport({ actor, environment, account: named, filters }: ExportRequest): Promise<ExportSource> {
  const accountId = named ? parseAccount(named) : null
  // In ascending order, webhooks that are received during the export come last.
  const listRequest = { ...parseFields(webhooksFilter, filters), sort_order: 'asc', account: accountId } as const
  let page = 0
  let after: string | null = null
  const [counts, nameOf] = await Promise.all([
    countWebhooks(environment, listRequest),
    loadAccountNames(actor, requireScope(actor, environment, accountId)),
  ])
  return {
    many: 'webhooks',
    columns: webhookColumns,
    accountId,
    nameOf,
    promised: countRows(counts, listRequest),
    nextPage: async () => {
      page += 1
      const paging = { page_number: listRequest.state === 'refused' ? page : 1, page_size: pageSize }
      const webhooks = await readPage(() => listWebhooks(environment, { ...listRequest, ...paging }, after))
      after = webhooks.at(-1)?.id ?? after
      return toSourcePage(webhooks, webhooks.length === pageSize)
    },
  }
}

type LimitLine = { id: string; name: string; type: LimitType; room: OverviewRow['types'][LimitType] }

const lineAccountId = ({ id }: LimitLine) => id

const readHeadroom = <T>({ room }: LimitLine, of: (room: Exclude<LimitLine['room'], { error: string }>) => T): T | undefined =>
  'error' in room ? undefined : of(room)

const limitColumn = (name: Headroom['name'], of: 'limit' | 'used') =>
  textColumn<LimitLine>(`${name}_${of}`, (line) => {
    const value = readHeadroom(line, ({ rooms }) => rooms.find((room) => room.name === name)?.[of])
    if (value === undefined) return ''
    return limitWords[name].counts ? value : plainAmount(value)
  })

const columns: readonly ExportColumn<LimitLine>[] = [
  textColumn('id', ({ id, type }) => `${id} ${type}`),
  textColumn('payment_type', ({ type }) => type),
  accountColumn(lineAccountId),
  textColumn('one_payment_limit', (line) => {
    const cents = readHeadroom(line, ({ maximum }) => maximum)
    return cents === undefined ? '' : plainAmount(cents)
  }),
  limitColumn('daily_amount', 'limit'),
  limitColumn('daily_amount', 'used'),
  limitColumn('monthly_amount', 'limit'),
  limitColumn('monthly_amount', 'used'),
  limitColumn('monthly_count', 'limit'),
  limitColumn('monthly_count', 'used'),
  textColumn('used_is_at_least', (line) => readHeadroom(line, ({ atLeast }) => (atLeast ? 'yes' : 'no'))),
  timeColumn('read_at', (line) => readHeadroom(line, ({ readAt }) => readAt)),
  textColumn('could_not_be_read', ({ room }) => ('error' in room ? room.error : '')),
]

const toLimitLines = ({ id, name, types }: OverviewRow): LimitLine[] => limitTypes.map((type) => ({ id, name, type, room: types[type] }))

/**
 * Opens an export of the limits of all active accounts, and of how much of each is used. An account has two lines: charges and payouts.
 * Throws the same errors as the list of accounts.
 */
export async function openLimitsExport(exportRequest: ExportRequest): Promise<ExportSource> {
  parseFields(z.strictObject({}), exportRequest.filters)
  const active = await openServiceList({ ...serviceLists.accounts, fixed: { status: 'active' } }, { ...exportRequest, filters: {} })
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
      const rows = await overviewRows(exportRequest.environment, exportRequest.actor, scopedAccounts)
      return { ...toSourcePage(rows.flatMap(toLimitLines), read.isFull), unreadable: read.unreadable }
    },
  }
}
