import 'server-only'
import * as z from 'zod'
import { whyNoExport } from '@/lib/domain/export-rules'
import { type LimitName, limitWords } from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import { requireLogReader } from '@/lib/features/activity/server/activity'
import { openActions } from '@/lib/features/activity/server/operations'
import { type OpenCapabilities, openCapabilities } from '@/lib/features/home/server/queue-accounts'
import { openRequestsFor } from '@/lib/features/limits/server/requests'
import { type LimitRequestView, requestWords } from '@/lib/features/limits/tracking'
import type { ActionView } from '@/lib/operations/answer'
import { accountText, parseAccount, scopeOf } from '@/lib/server/auth/scoped-account'
import { accountChoices } from '@/lib/server/http/account-choices'
import { parseFields } from '@/lib/server/http/input'
import { account, type ExportColumn, type ExportRequest, type ExportSource, moment, ownPage, plainAmount, text } from './csv'
import { namesIn } from './service-list'

/** Lists of open items have no filters. */
const noFilter = z.strictObject({})

const bare = (accountId: string | null) => accountId && parseAccount(accountId)

/** Columns of actions with an unknown outcome. The reason is left out, because it may name a person. */
const actionColumns: readonly ExportColumn<ActionView>[] = [
  text('id', ({ id }) => id),
  text('operation', ({ operation }) => operation),
  text('state', ({ state }) => state),
  account(({ account: named }) => bare(named)),
  text('target', ({ target }) => target),
  text('person', ({ actor }) => actor),
  moment('created_at', ({ created_at }) => created_at),
  text('attempts', ({ attempts }) => attempts.length),
  moment('next_check_at', ({ next_check_at }) => next_check_at),
  text('error_code', ({ error }) => error?.code),
]

/** Returns an open list of items that are all read already, in one account or in all accounts that the person may see. */
async function wholeFile(
  asked: ExportRequest,
  many: string,
  columns: readonly ExportColumn<never>[],
  all: readonly { account: string | null }[],
): Promise<ExportSource> {
  const { actor, environment, account: named } = asked
  const accountId = named ? parseAccount(named) : null
  const items = accountId ? all.filter((item) => item.account === accountText(accountId)) : all
  const nameOf = await namesIn(actor, scopeOf(actor, environment, accountId))
  return { many, columns, accountId, nameOf, promised: items.length, nextPage: async () => ownPage(items, false) }
}

/** Opens the actions with an open outcome for export, as the page Activity shows them. Throws `forbidden`. */
export async function openOpenActions(asked: ExportRequest): Promise<ExportSource> {
  requireLogReader(asked.actor, asked.environment)
  parseFields(noFilter, asked.filters)
  return wholeFile(asked, 'unknown outcomes', actionColumns, await openActions(asked.environment, asked.actor))
}

/** A limit request that was made in Paydesk (`own`), or one that only the service knows. */
type RequestLine = { id: string; account: string; at: string | null; own?: LimitRequestView; words: string }

const askedFor = (name: LimitName) =>
  text<RequestLine>(name, ({ own }) => {
    const value = own?.asked[name]
    if (value === undefined) return ''
    return limitWords[name].counts ? value : plainAmount(value)
  })

const requestColumns: readonly ExportColumn<RequestLine>[] = [
  text('id', ({ id }) => id),
  text('made_in', ({ own }) => (own ? 'Paydesk' : 'outside Paydesk')),
  account(({ account: named }) => bare(named)),
  text('payment_type', ({ own }) => own?.type),
  text('state', ({ words }) => words),
  askedFor('max_amount'),
  askedFor('daily_amount'),
  askedFor('monthly_amount'),
  askedFor('monthly_count'),
  text('requested_by', ({ own }) => own?.asked_by),
  moment('created_at', ({ at }) => at),
]

/** Throws if the list was not read completely, because a file must not omit rows without a notice. */
function requireWhole(read: OpenCapabilities): Extract<OpenCapabilities, { ok: true }> {
  if (!read.ok) throw new AppError('service_failed', 'What is open at the payments service could not be read. Try again')
  if (read.total > read.requests.length)
    throw new AppError('too_large', `There are ${read.total} open requests: choose an account to export its own`)
  return read
}

/** Opens the open limit requests for export: those made in Paydesk, then the others at the service. Throws `forbidden` and read errors. */
export async function openLimitRequests(asked: ExportRequest): Promise<ExportSource> {
  const { actor, environment, account: named } = asked
  const scope = scopeOf(actor, environment, named ? parseAccount(named) : null)
  const why = whyNoExport(scope.roles)
  if (why) throw new AppError('forbidden', why)
  parseFields(noFilter, asked.filters)
  const { accountsError } = await accountChoices(actor, scope)
  if (accountsError) throw new AppError('service_failed', 'The accounts could not be read. Try again')
  const account = scope.accountId && accountText(scope.accountId)
  const [made, service] = await Promise.all([
    openRequestsFor(actor, environment),
    openCapabilities({ environment, account, needsAccount: false }).then(requireWhole),
  ])
  const capabilityIds = new Set(made.flatMap(({ capability }) => capability?.id ?? []))
  const lines: RequestLine[] = [
    ...made.map((own) => ({ id: own.id, account: own.account, at: own.created_at, own, words: requestWords[own.tracking.state].label })),
    ...service.requests
      .filter(({ id }) => !capabilityIds.has(id))
      .map(({ id, account, line, since }) => ({ id, account, at: since, words: line })),
  ]
  const source = await wholeFile(asked, 'open limit requests', requestColumns, lines)
  const unreadable = service.unreadable
  return {
    ...source,
    promised: (source.promised ?? 0) + unreadable.length,
    nextPage: async (signal) => ({ ...(await source.nextPage(signal)), unreadable }),
  }
}
