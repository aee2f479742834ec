import 'server-only'
import { AppError } from '@/lib/errors'
import { log } from '@/lib/server/log'
import type { LostRow, SyncCursor } from '@/lib/server/store/schema/mirror'
import { database } from '@/lib/server/store/store'
import { type Page, type Pass, readPage, requireTime } from './call'
import { keepPage } from './keep-page'
import type { Filter, Plan } from './plans'
import { advance, type Progress, rowOf } from './state'

/** Days of payments that are read before older ones. */
const recentDays = 30

const listsOf = (plan: Plan, { phase }: Progress) => (phase === 'waiting' ? (plan.waiting ?? []) : plan.lists())
/**
 * True if the lists are read account by account. The waiting lists are read for the whole platform, which needs fewer calls; the import
 * adds the accounts later.
 */
const isByAccount = (plan: Plan, { phase }: Progress): boolean => plan.by === 'account' && phase !== 'waiting'
const scopesOf = (plan: Plan, row: Progress, accounts: readonly string[]): readonly (string | null)[] =>
  isByAccount(plan, row) ? accounts : [null]

/** True if a platform list exists that contains the rows of all accounts, and those without an account. */
const hasPlatformList = (plan: Plan): boolean =>
  plan.by === 'account' && plan.single === undefined && plan.resource !== 'capability_requests'

/** Returns the newest sort key and the total count of the platform list; null if unknown. */
async function lookAhead(pass: Pass, plan: Plan): Promise<{ newest: string | null; total: number | null }> {
  const { resource } = plan
  if (plan.single || resource === 'capability_requests') return { newest: null, total: null }
  const ask = (filter: Filter) => readPage(pass, { ...plan, pageSize: 1 }, null, filter, 1)
  const [way, ...others] = plan.changes
  const page = await ask(way ? { sort_by: way.by, sort_order: 'desc' } : {}).catch((error: unknown) => {
    if (others.length === 0 || !(error instanceof AppError) || error.code !== 'service_refused') throw error
    return ask({})
  })
  const newest = page.objects[0]?.[way?.by ?? '']
  const bounds = plan.bounds?.()
  const [all, besides] = bounds ? [await ask(bounds.all), await ask(bounds.besides)] : [page, null]
  const total = all.total === undefined ? null : all.total + (besides?.total ?? 0)
  return { newest: typeof newest === 'string' ? newest : null, total }
}

/** Returns the time that separates recent rows from older ones: 30 days before the newest row, which has the service's time. */
function cutBefore(newest: string | null): string {
  const time = Date.parse(newest ?? '')
  return new Date((Number.isNaN(time) ? Date.now() : time) - recentDays * 86_400_000).toISOString()
}

/** Starts reading a resource: sets its cursor and total. An import also sets the cursor of the resource's changes. */
async function begin(pass: Pass, plan: Plan, row: Progress, accounts: readonly string[]): Promise<Progress> {
  const ahead = await lookAhead(pass, plan)
  const [first = null] = scopesOf(plan, row, accounts)
  const cursor: SyncCursor = { list: 0, account: first, page: 1, since: cutBefore(ahead.newest) }
  const total = row.phase === 'waiting' ? null : plan.single ? accounts.length : ahead.total
  const changes = row.phase === 'import' && plan.changes.length > 0 ? await rowOf(pass.environment, plan.resource, 'changes') : null
  const db = await database()
  return db.transaction(async (tx) => {
    if (changes && changes.cursor === null) await advance(tx, changes, { cursor: { ...cursor, account: null, since: ahead.newest } })
    return advance(tx, row, { cursor, done: 0, total }, 'startedAt')
  })
}

/** Returns the cursor after a page, or null at the end. The platform list is last, if the account lists had fewer rows than the total. */
function after(cursor: SyncCursor, page: Page, plan: Plan, row: Progress, accounts: readonly string[]): SyncCursor | null {
  if (!page.isLast) return { ...cursor, page: cursor.page + 1 }
  const lists = listsOf(plan, row)
  const scopes = scopesOf(plan, row, accounts)
  if (cursor.list >= lists.length) return null
  const next = scopes.find((scope) => scope !== null && scope > (cursor.account ?? ''))
  if (isByAccount(plan, row) && next) return { ...cursor, account: next, page: 1 }
  if (cursor.list + 1 < lists.length) return { ...cursor, list: cursor.list + 1, account: scopes[0] ?? null, page: 1 }
  const isShort = row.phase !== 'waiting' && hasPlatformList(plan) && row.done + page.objects.length < (row.total ?? 0)
  return isShort ? { ...cursor, list: lists.length, account: null, page: 1 } : null
}

const nothing: Page = { objects: [], unreadable: [], total: 0, isLast: true, askedAt: new Date(0) }

/** Returns an error handler that returns an empty page if the service refuses the account, and rethrows any other error. */
export function orNothing(plan: Plan, account: string | null) {
  return (error: unknown): Page => {
    if (account === null || !(error instanceof AppError) || !/^service_(?:refused|not_found)$/.test(error.code)) throw error
    log.warn({ event: 'sync.account_refused', operation: plan.operation })
    return nothing
  }
}

/** Returns the page at the cursor; an empty page if the list is read by account and there are no accounts. */
async function pageAt(pass: Pass, plan: Plan, row: Progress, { list, account, page, since }: SyncCursor): Promise<Page> {
  const lists = listsOf(plan, row)
  if (isByAccount(plan, row) && account === null && list < lists.length) return nothing
  const filter = lists[list]?.(since ?? '') ?? plan.bounds?.()?.all ?? {}
  return readPage(pass, plan, account, filter, page).catch(orNothing(plan, account))
}

/** Maximum unreadable rows that are recorded. */
const mostLost = 100

/** Returns the unreadable rows found so far, without duplicates: the platform list can repeat rows of the account lists. */
function lostAfter({ unreadable = [], account }: SyncCursor, page: Page): LostRow[] {
  const all = [...unreadable, ...page.unreadable.map((row) => ({ ...row, account }))]
  return all.filter(({ id, raw }, at) => all.findIndex((row) => row.id === id && row.raw === raw) === at).slice(0, mostLost)
}

/** The stored progress row, the number of rows read, and the next page. `next.page` is already being read. */
type Way = { row: Progress; done: number; next: { cursor: SyncCursor; page: Promise<Page> } | null }

/**
 * Starts reading the page at a cursor. The page's error is thrown when the page is awaited. It is ignored if the page before cannot be
 * committed, because this page is then read again later.
 */
function ask(pass: Pass, plan: Plan, row: Progress, cursor: SyncCursor | null): Way['next'] {
  if (!cursor) return null
  const page = pageAt(pass, plan, row, cursor)
  page.catch(() => {})
  return { cursor, page }
}

/**
 * Commits the page that was read with the next cursor, while the following page is read. An empty page is not committed: after an
 * interruption it is read again. Rows of the platform list that is read last are not counted a second time.
 */
async function step(pass: Pass, plan: Plan, { row, done }: Way, at: NonNullable<Way['next']>, accounts: readonly string[]): Promise<Way> {
  requireTime(pass)
  const { cursor } = at
  const page = await at.page
  const unreadable = lostAfter(cursor, page)
  const nextCursor = after(cursor, page, plan, { ...row, done }, accounts)
  const next = nextCursor && { ...nextCursor, unreadable }
  const coming = ask(pass, plan, row, next)
  const counted = done + (cursor.list < listsOf(plan, row).length ? page.objects.length : 0)
  if (next && page.objects.length === 0) return { row, next: coming, done: counted }
  const stamps = next === null ? (['finishedAt', 'checkedAt'] as const) : []
  const change = { cursor: next, done: counted, ...(next === null ? { unreadable } : {}) }
  const committed = await keepPage(pass, plan, cursor.account, page, (db) => advance(db, row, change, ...stamps))
  return { row: committed, next: coming, done: counted }
}

/**
 * Reads the rest of a resource page by page, and commits each page with its cursor. `accounts` are all accounts of the platform, sorted.
 * Throws errors of the read, `OutOfTime` and `Overtaken`; committed pages stay.
 */
export async function walk(pass: Pass, plan: Plan, from: Progress, accounts: readonly string[]): Promise<Progress> {
  const row = from.cursor ? from : await begin(pass, plan, from, accounts)
  let walkState: Way = { row, next: ask(pass, plan, row, row.cursor), done: row.done }
  while (walkState.next) walkState = await step(pass, plan, walkState, walkState.next, accounts)
  return walkState.row
}
