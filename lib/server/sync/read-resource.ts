import 'server-only'
import { AppError } from '@/lib/errors'
import { log } from '@/lib/server/log'
import type { LostRow, SyncCursor } from '@/lib/server/store/schema/mirror'
import { database } from '@/lib/server/store/store'
import { readPage, requireTime, type SyncPage, type SyncPass } from './call'
import type { ListFilter, Plan } from './plans'
import { advanceCursor, ensureProgress, type SyncProgress } from './state'
import { storePage } from './store-page'

/** Days of payments that are read before older ones. */
const recentDays = 30

const selectLists = (plan: Plan, { phase }: SyncProgress) => (phase === 'waiting' ? (plan.waiting ?? []) : plan.lists())
/**
 * True if the lists are read account by account. The waiting lists are read for the whole platform, which needs fewer calls; the import
 * adds the accounts later.
 */
const isByAccount = (plan: Plan, { phase }: SyncProgress): boolean => plan.by === 'account' && phase !== 'waiting'
const selectScopes = (plan: Plan, row: SyncProgress, accounts: readonly string[]): readonly (string | null)[] =>
  isByAccount(plan, row) ? accounts : [null]

/** True if a platform list exists that contains the rows of all accounts, and those without an account. */
const hasPlatformList = (plan: Plan): boolean =>
  plan.by === 'account' && plan.single === undefined && plan.resource !== 'capability_requests'

/** Returns the newest sort key and the total count of the platform list; null if unknown. */
async function readNewestAndTotal(pass: SyncPass, plan: Plan): Promise<{ newest: string | null; total: number | null }> {
  const { resource } = plan
  if (plan.single || resource === 'capability_requests') return { newest: null, total: null }
  const readFirst = (filter: ListFilter) => readPage(pass, { ...plan, pageSize: 1 }, null, filter, 1)
  const [firstFilter, ...others] = plan.changes
  const page = await readFirst(firstFilter ? { sort_by: firstFilter.by, sort_order: 'desc' } : {}).catch((error: unknown) => {
    if (others.length === 0 || !(error instanceof AppError) || error.code !== 'service_refused') throw error
    return readFirst({})
  })
  const newestKey = page.objects[0]?.[firstFilter?.by ?? '']
  const bounds = plan.bounds?.()
  const [all, olderOpen] = bounds ? [await readFirst(bounds.all), await readFirst(bounds.besides)] : [page, null]
  const total = all.total === undefined ? null : all.total + (olderOpen?.total ?? 0)
  return { newest: typeof newestKey === 'string' ? newestKey : null, total }
}

/** Returns the time that separates recent rows from older ones: 30 days before the newest row, which has the service's time. */
function findRecentStart(newest: string | null): string {
  const time = Date.parse(newest ?? '')
  return new Date((Number.isNaN(time) ? Date.now() : time) - recentDays * 86_400_000).toISOString()
}

/** Starts reading a resource: sets its cursor and total. An import also sets the cursor of the resource's changes. */
async function startRead(pass: SyncPass, plan: Plan, row: SyncProgress, accounts: readonly string[]): Promise<SyncProgress> {
  const listHead = await readNewestAndTotal(pass, plan)
  const [firstScope = null] = selectScopes(plan, row, accounts)
  const cursor: SyncCursor = { list: 0, account: firstScope, page: 1, since: findRecentStart(listHead.newest) }
  const total = row.phase === 'waiting' ? null : plan.single ? accounts.length : listHead.total
  const changes =
    row.phase === 'import' && plan.changes.length > 0 ? await ensureProgress(pass.environment, plan.resource, 'changes') : null
  const db = await database()
  return db.transaction(async (tx) => {
    if (changes && changes.cursor === null)
      await advanceCursor(tx, changes, { cursor: { ...cursor, account: null, since: listHead.newest } })
    return advanceCursor(tx, row, { cursor, done: 0, total }, 'startedAt')
  })
}

/** Returns the cursor after a page, or null at the end. The platform list is last, if the account lists had fewer rows than the total. */
function findNextCursor(cursor: SyncCursor, page: SyncPage, plan: Plan, row: SyncProgress, accounts: readonly string[]): SyncCursor | null {
  if (!page.isLast) return { ...cursor, page: cursor.page + 1 }
  const lists = selectLists(plan, row)
  const scopes = selectScopes(plan, row, accounts)
  if (cursor.list >= lists.length) return null
  const nextScope = scopes.find((scope) => scope !== null && scope > (cursor.account ?? ''))
  if (isByAccount(plan, row) && nextScope) return { ...cursor, account: nextScope, page: 1 }
  if (cursor.list + 1 < lists.length) return { ...cursor, list: cursor.list + 1, account: scopes[0] ?? null, page: 1 }
  const isShort = row.phase !== 'waiting' && hasPlatformList(plan) && row.done + page.objects.length < (row.total ?? 0)
  return isShort ? { ...cursor, list: lists.length, account: null, page: 1 } : null
}

const emptyPage: SyncPage = { objects: [], unreadable: [], total: 0, isLast: true, askedAt: new Date(0) }

/** Returns an error handler that returns an empty page if the service refuses the account, and rethrows any other error. */
export function skipForbiddenAccount(plan: Plan, account: string | null) {
  return (error: unknown): SyncPage => {
    if (account === null || !(error instanceof AppError) || !/^service_(?:refused|not_found)$/.test(error.code)) throw error
    log.warn({ event: 'sync.account_refused', operation: plan.operation })
    return emptyPage
  }
}

/** Returns the page at the cursor; an empty page if the list is read by account and there are no accounts. */
async function readPageAt(pass: SyncPass, plan: Plan, row: SyncProgress, { list, account, page, since }: SyncCursor): Promise<SyncPage> {
  const lists = selectLists(plan, row)
  if (isByAccount(plan, row) && account === null && list < lists.length) return emptyPage
  const filter = lists[list]?.(since ?? '') ?? plan.bounds?.()?.all ?? {}
  return readPage(pass, plan, account, filter, page).catch(skipForbiddenAccount(plan, account))
}

/** Maximum unreadable rows that are recorded. */
const maxUnreadableRows = 100

/** Returns the unreadable rows found so far, without duplicates: the platform list can repeat rows of the account lists. */
function collectUnreadable({ unreadable = [], account }: SyncCursor, page: SyncPage): LostRow[] {
  const allUnreadable = [...unreadable, ...page.unreadable.map((row) => ({ ...row, account }))]
  return allUnreadable
    .filter(({ id, raw }, at) => allUnreadable.findIndex((row) => row.id === id && row.raw === raw) === at)
    .slice(0, maxUnreadableRows)
}

/** The stored progress row, the number of rows read, and the next page. `next.page` is already being read. */
type SyncPosition = { row: SyncProgress; done: number; next: { cursor: SyncCursor; page: Promise<SyncPage> } | null }

/**
 * Starts reading the page at a cursor. The page's error is thrown when the page is awaited. It is ignored if the page before cannot be
 * committed, because this page is then read again later.
 */
function prefetchPage(pass: SyncPass, plan: Plan, row: SyncProgress, cursor: SyncCursor | null): SyncPosition['next'] {
  if (!cursor) return null
  const page = readPageAt(pass, plan, row, cursor)
  page.catch(() => {})
  return { cursor, page }
}

/**
 * Commits the page that was read with the next cursor, while the following page is read. An empty page is not committed: after an
 * interruption it is read again. Rows of the platform list that is read last are not counted a second time.
 */
async function commitPage(
  pass: SyncPass,
  plan: Plan,
  { row, done }: SyncPosition,
  current: NonNullable<SyncPosition['next']>,
  accounts: readonly string[],
): Promise<SyncPosition> {
  requireTime(pass)
  const { cursor } = current
  const page = await current.page
  const unreadable = collectUnreadable(cursor, page)
  const nextCursor = findNextCursor(cursor, page, plan, { ...row, done }, accounts)
  const cursorToStore = nextCursor && { ...nextCursor, unreadable }
  const nextPage = prefetchPage(pass, plan, row, cursorToStore)
  const doneCount = done + (cursor.list < selectLists(plan, row).length ? page.objects.length : 0)
  if (cursorToStore && page.objects.length === 0) return { row, next: nextPage, done: doneCount }
  const timeColumns = cursorToStore === null ? (['finishedAt', 'checkedAt'] as const) : []
  const change = { cursor: cursorToStore, done: doneCount, ...(cursorToStore === null ? { unreadable } : {}) }
  const committedRow = await storePage(pass, plan, cursor.account, page, (db) => advanceCursor(db, row, change, ...timeColumns))
  return { row: committedRow, next: nextPage, done: doneCount }
}

/**
 * Reads the rest of a resource page by page, and commits each page with its cursor. `accounts` are all accounts of the platform, sorted.
 * Throws errors of the read, `OutOfTimeError` and `Overtaken`; committed pages stay.
 */
export async function readResource(pass: SyncPass, plan: Plan, from: SyncProgress, accounts: readonly string[]): Promise<SyncProgress> {
  const row = from.cursor ? from : await startRead(pass, plan, from, accounts)
  let position: SyncPosition = { row, next: prefetchPage(pass, plan, row, row.cursor), done: row.done }
  while (position.next) position = await commitPage(pass, plan, position, position.next, accounts)
  return position.row
}
