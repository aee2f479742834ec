import 'server-only'
import * as z from 'zod'
import { whyNotExport } from '@/lib/domain/export-rules'
import { type LimitedPaymentType, limitedPaymentTypes, limitWords } from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import { countCalls, readCallsPage } from '@/lib/features/activity/server/activity'
import { requireCallFilter, requireLogReader } from '@/lib/features/activity/server/readable-calls'
import { listDeletions } from '@/lib/features/deletions/server/deletions'
import { type OverviewRow, readOverviewRows } from '@/lib/features/limits/server/overview'
import type { Headroom } from '@/lib/features/limits/usage'
import {
  countWebhooks,
  getListRowCount,
  listWebhooks,
} from '@/lib/features/webhooks/server/webhooks'
import type { Account } from '@/lib/operations/accounts.schema'
import type { LogCursor, LoggedCall } from '@/lib/operations/activity'
import { type DeletionView, deletionStates, deletionsFilter } from '@/lib/operations/deletion'
import { type WebhookView, webhooksFilter } from '@/lib/operations/webhooks'
import { getGrantedAccounts, parseAccountId, requireScope } from '@/lib/server/auth/scoped-account'
import { readPageInOrder } from '@/lib/server/http/downloads'
import { parseFields } from '@/lib/server/http/input'
import {
  createAccountColumn,
  createTextColumn,
  createTimeColumn,
  type ExportColumn,
  type ExportRequest,
  type ExportSource,
  exportPageSize,
  formatPlainAmount,
  toExportPage,
} from './csv'
import { serviceLists } from './lists'
import { loadAccountNameLookup, openServiceList } from './service-list'

const parseOptionalAccountId = (accountId: string | null) => accountId && parseAccountId(accountId)

/** Columns of the request log. The log contains neither request bodies nor response bodies. */
const requestLogColumns: readonly ExportColumn<LoggedCall>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('operation', ({ operation }) => operation),
  createTextColumn('status', ({ status }) => status),
  createTimeColumn('at', ({ at }) => at),
  createTextColumn('person', ({ person }) => person),
  createAccountColumn(({ account: named }) => parseOptionalAccountId(named)),
  createTextColumn('target', ({ target }) => target),
  createTextColumn('took_ms', ({ took_ms }) => took_ms),
  createTextColumn('attempts', ({ attempts }) => attempts),
  createTextColumn('replayed', ({ replayed }) => (replayed ? 'yes' : 'no')),
  createTextColumn('error_code', ({ error_code }) => error_code),
  createTextColumn('error_detail', ({ error_detail }) => error_detail),
  createTextColumn('request_id', ({ request_id }) => request_id),
  createTextColumn('api_request_id', ({ api_request_id }) => api_request_id),
  createTextColumn('action_id', ({ action_id }) => action_id),
]

/** Without the customer's name, because it must not outlive the deletion. */
const deletionColumns: readonly ExportColumn<DeletionView>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('customer_id', ({ customer_id }) => customer_id),
  createTextColumn('state', ({ state }) => state),
  createAccountColumn(({ account: named }) => parseOptionalAccountId(named)),
  createTextColumn('asked_by', ({ asker }) => asker),
  createTextColumn('legal_basis', ({ basis }) => basis),
  createTextColumn('identity_check', ({ identity_check }) => identity_check),
  createTextColumn('ticket', ({ ticket }) => ticket),
  createTextColumn('due_on', ({ due_on }) => due_on),
  createTextColumn('requested_by', ({ requested_by }) => requested_by),
  createTimeColumn('created_at', ({ created_at }) => created_at),
  createTextColumn('executed_by', ({ executed_by }) => executed_by),
  createTimeColumn('executed_at', ({ executed_at }) => executed_at),
  createTextColumn('certificate_hash', ({ certificate_hash }) => certificate_hash),
]

/** A refused row stands for all refusals of one cause and day. Payloads are not exported. */
const webhookColumns: readonly ExportColumn<WebhookView>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('event_type', ({ event_type }) => event_type),
  createTextColumn('event_id', ({ event_id }) => event_id),
  createTextColumn('state', ({ state }) => state),
  createTextColumn('verified', ({ verified }) => (verified ? 'yes' : 'no')),
  createTimeColumn('received_at', ({ received_at }) => received_at),
  createTimeColumn('processed_at', ({ processed_at }) => processed_at),
  createAccountColumn(({ account: named }) => parseOptionalAccountId(named)),
  createTextColumn('target', ({ target }) => target),
  createTextColumn('tries', ({ tries }) => tries),
  createTextColumn('note', ({ note }) => note),
  createTextColumn('deliveries', ({ count }) => count),
]

/** Only calls up to now: later ones, such as those of the export itself, would shift the pages. */
export async function openRequestsExport({
  actor,
  environment,
  account: named,
  filters,
}: ExportRequest): Promise<ExportSource> {
  requireLogReader(actor, environment)
  const filter = requireCallFilter(filters)
  const accountId = named ? parseAccountId(named) : null
  const pageOptions = {
    size: exportPageSize,
    before: new Date(),
    ...(accountId ? { account: accountId } : {}),
  }
  const scope = requireScope(
    actor,
    environment,
    accountId ?? getGrantedAccounts(actor.grants, environment)?.[0] ?? null,
  )
  const [promised, nameOf] = await Promise.all([
    countCalls(actor, environment, filter, pageOptions),
    loadAccountNameLookup(actor, scope),
  ])
  let cursor: LogCursor | undefined
  return {
    many: 'requests',
    columns: requestLogColumns,
    accountId,
    nameOf,
    promised,
    nextPage: async () => {
      const { calls, hasOlder } = await readPageInOrder(() =>
        readCallsPage(actor, environment, filter, { ...pageOptions, place: cursor }),
      )
      const lastCall = calls.at(-1)
      if (lastCall) cursor = { way: 'older', at: lastCall.at, id: lastCall.id }
      return toExportPage(calls, hasOlder)
    },
  }
}

export async function openDeletionsExport({
  actor,
  environment,
  account: named,
  filters,
}: ExportRequest): Promise<ExportSource> {
  const accountId = named ? parseAccountId(named) : null
  const scope = requireScope(actor, environment, accountId)
  const whyForbidden = whyNotExport(scope.roles)
  if (whyForbidden) throw new AppError('forbidden', whyForbidden)
  // Ascending: a request created during the export comes last and does not shift the pages.
  const sortOrder = { sort_by: 'created_at', sort_order: 'asc' } as const
  const filter = parseFields(deletionsFilter, filters)
  let lastId: string | null = null
  const readDeletions = (page_size: number, afterId: string | null = null) =>
    listDeletions(
      actor,
      environment,
      { ...filter, ...sortOrder, account: accountId, page_number: 1, page_size },
      afterId,
    )
  const [{ counts }, nameOf] = await Promise.all([
    readDeletions(1),
    loadAccountNameLookup(actor, scope),
  ])
  const promisedRowCount = deletionStates.reduce(
    (sum, each) => sum + (filter.state && each !== filter.state ? 0 : (counts[each] ?? 0)),
    0,
  )
  return {
    many: 'deletions',
    columns: deletionColumns,
    accountId,
    nameOf,
    promised: promisedRowCount,
    nextPage: async () => {
      const { deletions } = await readPageInOrder(() => readDeletions(exportPageSize, lastId))
      lastId = deletions.at(-1)?.id ?? lastId
      return toExportPage(deletions, deletions.length === exportPageSize)
    },
  }
}

export async function openWebhooksExport({
  actor,
  environment,
  account: named,
  filters,
}: ExportRequest): Promise<ExportSource> {
  const accountId = named ? parseAccountId(named) : null
  // Ascending: a webhook received during the export comes last and does not shift the pages.
  const listInput = {
    ...parseFields(webhooksFilter, filters),
    sort_order: 'asc',
    account: accountId,
  } as const
  let pageNumber = 0
  let lastWebhookId: string | null = null
  const [counts, nameOf] = await Promise.all([
    countWebhooks(environment, listInput),
    loadAccountNameLookup(actor, requireScope(actor, environment, accountId)),
  ])
  return {
    many: 'webhooks',
    columns: webhookColumns,
    accountId,
    nameOf,
    promised: getListRowCount(counts, listInput),
    nextPage: async () => {
      pageNumber += 1
      const paging = {
        page_number: listInput.state === 'refused' ? pageNumber : 1,
        page_size: exportPageSize,
      }
      const webhooks = await readPageInOrder(() =>
        listWebhooks(environment, { ...listInput, ...paging }, lastWebhookId),
      )
      lastWebhookId = webhooks.at(-1)?.id ?? lastWebhookId
      return toExportPage(webhooks, webhooks.length === exportPageSize)
    },
  }
}

type LimitExportLine = {
  id: string
  name: string
  type: LimitedPaymentType
  room: OverviewRow['types'][LimitedPaymentType]
}

const getLineAccountId = ({ id }: LimitExportLine) => id

const pickHeadroomValue = <T>(
  { room }: LimitExportLine,
  pickValue: (room: Exclude<LimitExportLine['room'], { error: string }>) => T,
): T | undefined => ('error' in room ? undefined : pickValue(room))

const createLimitUseColumn = (name: Headroom['name'], of: 'limit' | 'used') =>
  createTextColumn<LimitExportLine>(`${name}_${of}`, (line) => {
    const headroomValue = pickHeadroomValue(
      line,
      ({ rooms }) => rooms.find((room) => room.name === name)?.[of],
    )
    if (headroomValue === undefined) return ''
    return limitWords[name].counts ? headroomValue : formatPlainAmount(headroomValue)
  })

const limitColumns: readonly ExportColumn<LimitExportLine>[] = [
  createTextColumn('id', ({ id, type }) => `${id} ${type}`),
  createTextColumn('payment_type', ({ type }) => type),
  createAccountColumn(getLineAccountId),
  createTextColumn('one_payment_limit', (line) => {
    const maxPaymentCents = pickHeadroomValue(line, ({ maximum }) => maximum)
    return maxPaymentCents === undefined ? '' : formatPlainAmount(maxPaymentCents)
  }),
  createLimitUseColumn('daily_amount', 'limit'),
  createLimitUseColumn('daily_amount', 'used'),
  createLimitUseColumn('monthly_amount', 'limit'),
  createLimitUseColumn('monthly_amount', 'used'),
  createLimitUseColumn('monthly_count', 'limit'),
  createLimitUseColumn('monthly_count', 'used'),
  createTextColumn('used_is_at_least', (line) =>
    pickHeadroomValue(line, ({ atLeast }) => (atLeast ? 'yes' : 'no')),
  ),
  createTimeColumn('read_at', (line) => pickHeadroomValue(line, ({ readAt }) => readAt)),
  createTextColumn('could_not_be_read', ({ room }) => ('error' in room ? room.error : '')),
]

const toLimitExportLines = ({ id, name, types }: OverviewRow): LimitExportLine[] =>
  limitedPaymentTypes.map((type) => ({ id, name, type, room: types[type] }))

/** Two lines per account: charges and payouts. Throws the same errors as the list of accounts. */
export async function openLimitsExport(exportRequest: ExportRequest): Promise<ExportSource> {
  parseFields(z.strictObject({}), exportRequest.filters)
  const activeAccountsExport = await openServiceList(
    { ...serviceLists.accounts, fixed: { status: 'active' } },
    { ...exportRequest, filters: {} },
  )
  const { accountId } = activeAccountsExport
  return {
    ...activeAccountsExport,
    many: 'limits',
    columns: limitColumns,
    promised: null,
    nextPage: async (signal) => {
      const accountsPage = await activeAccountsExport.nextPage(signal)
      const accountItems: readonly Account[] = accountsPage.items
      const scopedAccounts = accountItems.filter(({ id }) => accountId === null || id === accountId)
      const overviewRows = await readOverviewRows(
        exportRequest.environment,
        exportRequest.actor,
        scopedAccounts,
      )
      return {
        ...toExportPage(overviewRows.flatMap(toLimitExportLines), accountsPage.isFull),
        unreadable: accountsPage.unreadable,
      }
    },
  }
}
