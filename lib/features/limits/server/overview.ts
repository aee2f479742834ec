import 'server-only'
import { type LimitedPaymentType, limitedPaymentTypes, toLimitSet } from '@/lib/domain/limit-labels'
import { isFieldUnreadable } from '@/lib/domain/unreadable-rules'
import type { WireError } from '@/lib/errors'
import { type Forecast, forecastLimit } from '@/lib/features/limits/forecast'
import type { LimitUses } from '@/lib/features/limits/tracking'
import { findTightestLimit, type Headroom, toHeadrooms } from '@/lib/features/limits/usage'
import type { Account } from '@/lib/operations/accounts.schema'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { findTotalRowCount, isFullPage } from '@/lib/operations/list-count'
import type { PageContext } from '@/lib/operations/page-context'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { loadReadForPage } from '@/lib/server/http/read'
import { requireLimitScope } from './requests'
import { readLimitUsesLookup } from './use'

/**
 * `forecast`: when the monthly amount will be used up. `maximum`: the limit per payment, in minor
 * units. `atLeast`: not every payment was read, so more may be used.
 */
export type PaymentTypeHeadroom = {
  rooms: Headroom[]
  tightest: Headroom | null
  forecast: Forecast
  maximum: number | undefined
  atLeast: boolean
  readAt: string
}

export type OverviewRow = {
  id: string
  account: string
  name: string
  status: string
  types: Record<LimitedPaymentType, PaymentTypeHeadroom | { error: string }>
}

/**
 * The account with the most used limit comes first. `total`: accounts on all pages, null if
 * unknown. `unreadable`: accounts of the page that could not be parsed.
 */
export type LimitOverview =
  | {
      ok: true
      rows: OverviewRow[]
      unreadable: readonly UnreadableRow[]
      total: number | null
      hasNext: boolean
    }
  | { ok: false; error: WireError; requestId: string }

export const overviewPageSize = 20

function toOverviewRow(account: Account, uses: LimitUses): OverviewRow {
  const toPaymentTypeHeadroom = (
    type: LimitedPaymentType,
  ): PaymentTypeHeadroom | { error: string } => {
    const limitUse = uses[type]
    if (!limitUse.ok) return { error: limitUse.error.title }
    if (isFieldUnreadable(account, `settings.${type}`))
      return { error: 'The limits in force could not be read' }
    const limitsOfType = toLimitSet(account.settings?.[type])
    const headrooms = toHeadrooms(limitUse.usage, limitsOfType)
    return {
      rooms: headrooms,
      tightest: findTightestLimit(headrooms),
      forecast: forecastLimit(limitUse.usage, limitsOfType.monthly_amount, 'amount'),
      maximum: limitsOfType.max_amount,
      atLeast: limitUse.usage.atLeast,
      readAt: limitUse.readAt,
    }
  }
  const accountFields = {
    id: account.id,
    account: formatAccountId(account.id),
    name: account.business_profile?.name ?? account.id,
    status: account.status,
  }
  return {
    ...accountFields,
    types: { charges: toPaymentTypeHeadroom('charges'), payouts: toPaymentTypeHeadroom('payouts') },
  }
}

/** Keeps the order of `accounts`. Throws `forbidden` if the person may not see one of them. */
export async function readOverviewRows(
  environment: Environment,
  actor: Actor,
  accounts: readonly Account[],
): Promise<OverviewRow[]> {
  await Promise.all(
    accounts.map(({ id }) =>
      requireLimitScope(actor, { environment, account: formatAccountId(id) }),
    ),
  )
  const accountIds = accounts.map(({ id }) => id)
  const getLimitUses = await readLimitUsesLookup(actor, environment, accountIds)
  return accounts.map((item) => toOverviewRow(item, getLimitUses(item.id)))
}

/** Infinite if the use could not be read, so that the account comes first. */
function getHighestShare({ types }: OverviewRow): number {
  return Math.max(
    ...limitedPaymentTypes.map((type) => {
      const headroom = types[type]
      return 'error' in headroom ? Number.POSITIVE_INFINITY : (headroom.tightest?.share ?? -1)
    }),
  )
}

async function readSortedRows(
  context: PageContext,
  actor: Actor,
  accounts: readonly Account[],
): Promise<OverviewRow[]> {
  const overviewRows = await readOverviewRows(context.environment, actor, accounts)
  return overviewRows.sort(
    (one, other) =>
      getHighestShare(other) - getHighestShare(one) || one.name.localeCompare(other.name, 'en'),
  )
}

/**
 * Pages are by name; within a page, the account with the most used limit comes first. Errors of the
 * account list are returned, not thrown.
 */
export async function loadOverview(context: PageContext, page: number): Promise<LimitOverview> {
  const accountId = context.account?.replace(/^acct_/, '')
  const actor = await getCurrentActor()
  const accountsResult = accountId
    ? await loadReadForPage(context, 'accounts.get', { id: accountId })
    : await loadReadForPage(context, 'accounts.list', {
        status: 'active',
        page_number: page,
        page_size: overviewPageSize,
        sort_by: 'name',
        sort_order: 'asc',
      })
  if (!accountsResult.ok) return accountsResult
  const pageAccounts = [accountsResult.data].flat()
  if (!actor) return { ok: true, rows: [], unreadable: [], total: 0, hasNext: false }
  const accountsPage = { data: pageAccounts, meta: accountsResult.meta }
  const accountTotal = accountId
    ? 1
    : findTotalRowCount(accountsPage, { size: overviewPageSize, number: page })
  const hasNextPage =
    accountTotal === null
      ? isFullPage(accountsPage, overviewPageSize)
      : page * overviewPageSize < accountTotal
  return {
    ok: true,
    rows: await readSortedRows(context, actor, pageAccounts),
    unreadable: accountsResult.meta.unreadable_rows ?? [],
    total: accountTotal,
    hasNext: hasNextPage,
  }
}
