import 'server-only'
import { type Forecast, limitForecast } from '@/lib/domain/limit-forecast'
import { type Headroom, headroomOf, tightestOf } from '@/lib/domain/limit-headroom'
import { type LimitType, limitSetOf, limitTypes } from '@/lib/domain/limit-words'
import type { WireError } from '@/lib/errors'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Desk } from '@/lib/operations/desk'
import { permitLimits } from './limit-requests'
import { limitUsesOf } from './limit-use'
import { load } from './read'
import { accountText } from './scoped-account'
import { currentActor } from './session'
import type { Actor } from './session-rows'

/**
 * One payment type of one account: all its limits with what is used, the tightest of them, and when the month's amount will be used up.
 * `atLeast`: not every payment was read, so the used figures are lower bounds.
 */
export type TypeRoom = {
  rooms: Headroom[]
  tightest: Headroom | null
  forecast: Forecast
  maximum: number | undefined
  atLeast: boolean
  readAt: string
}

/** An account of the overview; a type whose use could not be read says why. */
export type OverviewRow = {
  id: string
  account: string
  name: string
  status: string
  types: Record<LimitType, TypeRoom | { error: string }>
}

/** A page of the overview, the tightest account first; `total` is how many accounts there are on all pages. */
export type Overview = { ok: true; rows: OverviewRow[]; total: number } | { ok: false; error: WireError; requestId: string }

/** Accounts on a page: each costs a few reads of the shared rate budget, at most so many at once. */
export const overviewSize = 20
const atOnce = 4

async function rowOf(desk: Desk, actor: Actor, item: Account): Promise<OverviewRow> {
  const account = accountText(item.id)
  const head = { id: item.id, account, name: item.business_profile?.name ?? item.id, status: item.status }
  const scope = await permitLimits(actor, { environment: desk.environment, account })
  const uses = await limitUsesOf(scope)
  const typeOf = (type: LimitType): TypeRoom | { error: string } => {
    const use = uses[type]
    if (!use.ok) return { error: use.error.title }
    const limits = limitSetOf(item.settings?.[type])
    const rooms = headroomOf(use.usage, limits)
    return {
      rooms,
      tightest: tightestOf(rooms),
      forecast: limitForecast(use.usage, limits.monthly_amount, 'amount'),
      maximum: limits.max_amount,
      atLeast: use.usage.atLeast,
      readAt: use.readAt,
    }
  }
  return { ...head, types: { charges: typeOf('charges'), payouts: typeOf('payouts') } }
}

/** The largest share of any limit of an account; one that could not be read comes first, because it may be the one. */
function tightness({ types }: OverviewRow): number {
  return Math.max(
    ...limitTypes.map((type) => {
      const room = types[type]
      return 'error' in room ? Number.POSITIVE_INFINITY : (room.tightest?.share ?? -1)
    }),
  )
}

async function rowsOf(desk: Desk, actor: Actor, accounts: readonly Account[]): Promise<OverviewRow[]> {
  const rows: OverviewRow[] = []
  for (let at = 0; at < accounts.length; at += atOnce) {
    rows.push(...(await Promise.all(accounts.slice(at, at + atOnce).map((item) => rowOf(desk, actor, item)))))
  }
  return rows.sort((one, other) => tightness(other) - tightness(one) || one.name.localeCompare(other.name, 'en'))
}

/**
 * The limits of the accounts that work, a page of them by name, and on the page those nearest to a limit first; in an account's scope that account.
 * Never throws for what the service or a permission says.
 */
export async function loadOverview(desk: Desk, page: number): Promise<Overview> {
  const own = desk.account?.replace(/^acct_/, '')
  const actor = await currentActor()
  const listed = own
    ? await load(desk, 'accounts.get', { id: own })
    : await load(desk, 'accounts.list', {
        status: 'active',
        page_number: page,
        page_size: overviewSize,
        sort_by: 'name',
        sort_order: 'asc',
      })
  if (!listed.ok) return listed
  const accounts = [listed.data].flat()
  if (!actor) return { ok: true, rows: [], total: 0 }
  return { ok: true, rows: await rowsOf(desk, actor, accounts), total: own ? 1 : (listed.meta.total_items ?? accounts.length) }
}
