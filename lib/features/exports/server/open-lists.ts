import 'server-only'
import * as z from 'zod'
import { whyNotExport } from '@/lib/domain/export-rules'
import { type LimitName, limitWords } from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import { listOpenActions } from '@/lib/features/activity/server/operations'
import { requireLogReader } from '@/lib/features/activity/server/readable-calls'
import {
  loadOpenCapabilityRequests,
  type OpenCapabilityRequestsResult,
} from '@/lib/features/home/server/queue-accounts'
import { listOpenLimitRequests } from '@/lib/features/limits/server/requests'
import { type LimitRequestView, limitRequestLabels } from '@/lib/features/limits/tracking'
import type { ActionView } from '@/lib/operations/answer'
import { formatAccountId, parseAccountId, requireScope } from '@/lib/server/auth/scoped-account'
import { loadAccountChoices } from '@/lib/server/http/account-choices'
import { parseFields } from '@/lib/server/http/input'
import {
  createAccountColumn,
  createTextColumn,
  createTimeColumn,
  type ExportColumn,
  type ExportRequest,
  type ExportSource,
  formatPlainAmount,
  toExportPage,
} from './csv'
import { loadAccountNameLookup } from './service-list'

const noFilterSchema = z.strictObject({})

const parseOptionalAccountId = (accountId: string | null) => accountId && parseAccountId(accountId)

/** Without the reason, because it may name a person. */
const actionColumns: readonly ExportColumn<ActionView>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('operation', ({ operation }) => operation),
  createTextColumn('state', ({ state }) => state),
  createAccountColumn(({ account: named }) => parseOptionalAccountId(named)),
  createTextColumn('target', ({ target }) => target),
  createTextColumn('person', ({ actor }) => actor),
  createTimeColumn('created_at', ({ created_at }) => created_at),
  createTextColumn('attempts', ({ attempts }) => attempts.length),
  createTimeColumn('next_check_at', ({ next_check_at }) => next_check_at),
  createTextColumn('error_code', ({ error }) => error?.code),
]

async function toExportSource(
  exportRequest: ExportRequest,
  pluralNoun: string,
  columns: readonly ExportColumn<never>[],
  allItems: readonly { account: string | null }[],
): Promise<ExportSource> {
  const { actor, environment, account: named } = exportRequest
  const accountId = named ? parseAccountId(named) : null
  const scopedItems = accountId
    ? allItems.filter((item) => item.account === formatAccountId(accountId))
    : allItems
  const getAccountName = await loadAccountNameLookup(
    actor,
    requireScope(actor, environment, accountId),
  )
  return {
    many: pluralNoun,
    columns,
    accountId,
    nameOf: getAccountName,
    promised: scopedItems.length,
    nextPage: async () => toExportPage(scopedItems, false),
  }
}

/** The same actions as on the page Activity. Throws `forbidden`. */
export async function openActionsExport(exportRequest: ExportRequest): Promise<ExportSource> {
  requireLogReader(exportRequest.actor, exportRequest.environment)
  parseFields(noFilterSchema, exportRequest.filters)
  return toExportSource(
    exportRequest,
    'unknown outcomes',
    actionColumns,
    await listOpenActions(exportRequest.environment, exportRequest.actor),
  )
}

/** `own`: the request, if it was made in Paydesk. `words`: the state of the request as text. */
type LimitRequestExportLine = {
  id: string
  account: string
  at: string | null
  own?: LimitRequestView
  words: string
}

const createRequestedLimitColumn = (name: LimitName) =>
  createTextColumn<LimitRequestExportLine>(name, ({ own }) => {
    const requestedLimit = own?.asked[name]
    if (requestedLimit === undefined) return ''
    return limitWords[name].counts ? requestedLimit : formatPlainAmount(requestedLimit)
  })

const limitRequestColumns: readonly ExportColumn<LimitRequestExportLine>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('made_in', ({ own }) => (own ? 'Paydesk' : 'outside Paydesk')),
  createAccountColumn(({ account: named }) => parseOptionalAccountId(named)),
  createTextColumn('payment_type', ({ own }) => own?.type),
  createTextColumn('state', ({ words }) => words),
  createRequestedLimitColumn('max_amount'),
  createRequestedLimitColumn('daily_amount'),
  createRequestedLimitColumn('monthly_amount'),
  createRequestedLimitColumn('monthly_count'),
  createTextColumn('requested_by', ({ own }) => own?.asked_by),
  createTimeColumn('created_at', ({ at }) => at),
]

/**
 * Throws if requests could not be read or are missing: a file must not omit rows without a notice.
 */
function requireAllRequestsRead(
  read: OpenCapabilityRequestsResult,
): Extract<OpenCapabilityRequestsResult, { ok: true }> {
  if (!read.ok)
    throw new AppError(
      'service_failed',
      'What is open at the payments service could not be read. Try again',
    )
  if (read.total > read.requests.length)
    throw new AppError(
      'too_large',
      `There are ${read.total} open requests: choose an account to export its own`,
    )
  return read
}

/**
 * Requests made in Paydesk come first, then those made outside of it. Throws `forbidden` and read
 * errors.
 */
export async function openLimitRequestsExport(exportRequest: ExportRequest): Promise<ExportSource> {
  const { actor, environment, account: named } = exportRequest
  const scope = requireScope(actor, environment, named ? parseAccountId(named) : null)
  const whyForbidden = whyNotExport(scope.roles)
  if (whyForbidden) throw new AppError('forbidden', whyForbidden)
  parseFields(noFilterSchema, exportRequest.filters)
  const { accountsError } = await loadAccountChoices(actor, scope)
  if (accountsError)
    throw new AppError('service_failed', 'The accounts could not be read. Try again')
  const account = scope.accountId && formatAccountId(scope.accountId)
  const [ownRequests, service] = await Promise.all([
    listOpenLimitRequests(actor, environment),
    loadOpenCapabilityRequests({ environment, account, needsAccount: false }).then(
      requireAllRequestsRead,
    ),
  ])
  const capabilityIds = new Set(ownRequests.flatMap(({ capability }) => capability?.id ?? []))
  const limitRequestLines: LimitRequestExportLine[] = [
    ...ownRequests.map((own) => ({
      id: own.id,
      account: own.account,
      at: own.created_at,
      own,
      words: limitRequestLabels[own.tracking.state].label,
    })),
    ...service.requests
      .filter(({ id }) => !capabilityIds.has(id))
      .map(({ id, account, line, since }) => ({ id, account, at: since, words: line })),
  ]
  const exportSource = await toExportSource(
    exportRequest,
    'open limit requests',
    limitRequestColumns,
    limitRequestLines,
  )
  const unreadableRows = service.unreadable
  return {
    ...exportSource,
    promised: (exportSource.promised ?? 0) + unreadableRows.length,
    nextPage: async (signal) => ({
      ...(await exportSource.nextPage(signal)),
      unreadable: unreadableRows,
    }),
  }
}
