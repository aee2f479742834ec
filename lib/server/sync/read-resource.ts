import 'server-only'
import { AppError } from '@/lib/errors'
import { log } from '@/lib/server/log'
import type { SyncCursor, UnreadableListRow } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'
import { readPage, requireTimeLeft, type SyncPage, type SyncPass } from './call'
import { isReadByAccount, type ListFilter, type SyncPlan } from './plans'
import { advanceCursor, ensureProgress, type SyncProgress } from './state'
import { storePage } from './store-page'

/** The payments of these days are read before older ones. */
const recentPeriodDays = 30

const selectListFilters = (plan: SyncPlan, { phase }: SyncProgress) =>
  phase === 'waiting' ? (plan.waiting ?? []) : plan.lists()
/** Reading the waiting lists for the whole platform needs fewer calls; the import adds accounts. */
const isPhaseReadByAccount = (plan: SyncPlan, { phase, environment }: SyncProgress): boolean =>
  isReadByAccount(plan, environment) && phase !== 'waiting'
const selectAccountScopes = (
  plan: SyncPlan,
  row: SyncProgress,
  accounts: readonly string[],
): readonly (string | null)[] => (isPhaseReadByAccount(plan, row) ? accounts : [null])

/** The platform's list contains the rows of all accounts, and those without an account. */
const hasPlatformList = (plan: SyncPlan, { environment }: SyncProgress): boolean =>
  isReadByAccount(plan, environment) &&
  plan.single === undefined &&
  plan.resource !== 'capability_requests'

/**
 * Returns the newest value of the platform list's sort field, and the total of its rows. Each is
 * null if unknown.
 */
async function readNewestTimeAndTotal(
  pass: SyncPass,
  plan: SyncPlan,
): Promise<{ newest: string | null; total: number | null }> {
  const { resource } = plan
  if (plan.single || resource === 'capability_requests') return { newest: null, total: null }
  const readFirstPage = (filter: ListFilter) =>
    readPage(pass, { ...plan, pageSize: 1 }, null, filter, 1)
  const [firstFilter, ...others] = plan.changes
  const page = await readFirstPage(
    firstFilter ? { sort_by: firstFilter.by, sort_order: 'desc' } : {},
  ).catch((error: unknown) => {
    if (others.length === 0 || !(error instanceof AppError) || error.code !== 'service_refused')
      throw error
    return readFirstPage({})
  })
  const newestSortValue = page.objects[0]?.[firstFilter?.by ?? '']
  const retentionFilters = plan.bounds?.()
  const [allPage, olderOpenPage] = retentionFilters
    ? [await readFirstPage(retentionFilters.all), await readFirstPage(retentionFilters.besides)]
    : [page, null]
  const total = allPage.total === undefined ? null : allPage.total + (olderOpenPage?.total ?? 0)
  return { newest: typeof newestSortValue === 'string' ? newestSortValue : null, total }
}

/** 30 days before the newest row, not before now: the service's clock can differ from ours. */
function findRecentStart(newestTime: string | null): string {
  const time = Date.parse(newestTime ?? '')
  return new Date(
    (Number.isNaN(time) ? Date.now() : time) - recentPeriodDays * 86_400_000,
  ).toISOString()
}

/** Sets the cursor and the total. An import also sets the cursor of the resource's changes. */
async function startResourceRead(
  pass: SyncPass,
  plan: SyncPlan,
  row: SyncProgress,
  accounts: readonly string[],
): Promise<SyncProgress> {
  const newestAndTotal = await readNewestTimeAndTotal(pass, plan)
  const [firstScope = null] = selectAccountScopes(plan, row, accounts)
  const cursor: SyncCursor = {
    list: 0,
    account: firstScope,
    page: 1,
    since: findRecentStart(newestAndTotal.newest),
  }
  const total =
    row.phase === 'waiting' ? null : plan.single ? accounts.length : newestAndTotal.total
  const changesProgress =
    row.phase === 'import' && plan.changes.length > 0
      ? await ensureProgress(pass.environment, plan.resource, 'changes')
      : null
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    if (changesProgress && changesProgress.cursor === null)
      await advanceCursor(tx, changesProgress, {
        cursor: { ...cursor, account: null, since: newestAndTotal.newest },
      })
    return advanceCursor(tx, row, { cursor, done: 0, total }, 'startedAt')
  })
}

/**
 * Returns the cursor of the next page, null at the end. If the account lists had fewer rows than
 * the total, the platform's list is read last.
 */
function findNextCursor(
  cursor: SyncCursor,
  page: SyncPage,
  plan: SyncPlan,
  row: SyncProgress,
  accounts: readonly string[],
): SyncCursor | null {
  if (!page.isLast) return { ...cursor, page: cursor.page + 1 }
  const listFilters = selectListFilters(plan, row)
  const accountScopes = selectAccountScopes(plan, row, accounts)
  if (cursor.list >= listFilters.length) return null
  const nextScope = accountScopes.find((scope) => scope !== null && scope > (cursor.account ?? ''))
  if (isPhaseReadByAccount(plan, row) && nextScope)
    return { ...cursor, account: nextScope, page: 1 }
  if (cursor.list + 1 < listFilters.length)
    return { ...cursor, list: cursor.list + 1, account: accountScopes[0] ?? null, page: 1 }
  const hasFewerRowsThanTotal =
    row.phase !== 'waiting' &&
    hasPlatformList(plan, row) &&
    row.done + page.objects.length < (row.total ?? 0)
  return hasFewerRowsThanTotal
    ? { ...cursor, list: listFilters.length, account: null, page: 1 }
    : null
}

const emptyPage: SyncPage = {
  objects: [],
  unreadable: [],
  total: 0,
  isLast: true,
  askedAt: new Date(0),
}

/** Returns an empty page if the service refuses the account, and rethrows any other error. */
export function skipForbiddenAccount(plan: SyncPlan, account: string | null) {
  return (error: unknown): SyncPage => {
    if (
      account === null ||
      !(error instanceof AppError) ||
      !/^service_(?:refused|not_found)$/.test(error.code)
    )
      throw error
    log.warn({ event: 'sync.account_refused', operation: plan.operation })
    return emptyPage
  }
}

/** Returns an empty page if the list is read by account and there are no accounts. */
async function readPageAtCursor(
  pass: SyncPass,
  plan: SyncPlan,
  row: SyncProgress,
  { list, account, page, since }: SyncCursor,
): Promise<SyncPage> {
  const planListFilters = selectListFilters(plan, row)
  if (isPhaseReadByAccount(plan, row) && account === null && list < planListFilters.length)
    return emptyPage
  const listFilter = planListFilters[list]?.(since ?? '') ?? plan.bounds?.()?.all ?? {}
  return readPage(pass, plan, account, listFilter, page).catch(skipForbiddenAccount(plan, account))
}

const maxUnreadableRows = 100

/** Omits duplicates: the platform list can repeat rows of the account lists. */
function collectUnreadableRows(
  { unreadable = [], account }: SyncCursor,
  page: SyncPage,
): UnreadableListRow[] {
  const allUnreadableRows = [...unreadable, ...page.unreadable.map((row) => ({ ...row, account }))]
  return allUnreadableRows
    .filter(
      ({ id, raw }, at) =>
        allUnreadableRows.findIndex((row) => row.id === id && row.raw === raw) === at,
    )
    .slice(0, maxUnreadableRows)
}

/**
 * `done` is the number of rows read so far. `next` is the next page, which is already being
 * requested.
 */
type SyncPosition = {
  row: SyncProgress
  done: number
  next: { cursor: SyncCursor; page: Promise<SyncPage> } | null
}

/**
 * An error of the page is thrown when the page is awaited. It is ignored if storing the page before
 * fails, because this page is then read again later.
 */
function prefetchPage(
  pass: SyncPass,
  plan: SyncPlan,
  row: SyncProgress,
  cursor: SyncCursor | null,
): SyncPosition['next'] {
  if (!cursor) return null
  const pendingPage = readPageAtCursor(pass, plan, row, cursor)
  pendingPage.catch(() => {})
  return { cursor, page: pendingPage }
}

/**
 * Stores a page with its cursor while the next page is being read. An empty page is not stored, so
 * after an interruption it is read again. The platform's list that is read last repeats rows of the
 * account lists, so its rows are not counted.
 */
async function commitPage(
  pass: SyncPass,
  plan: SyncPlan,
  { row, done }: SyncPosition,
  pageToCommit: NonNullable<SyncPosition['next']>,
  accounts: readonly string[],
): Promise<SyncPosition> {
  requireTimeLeft(pass)
  const { cursor } = pageToCommit
  const page = await pageToCommit.page
  const unreadableRows = collectUnreadableRows(cursor, page)
  const nextCursor = findNextCursor(cursor, page, plan, { ...row, done }, accounts)
  const cursorToStore = nextCursor && { ...nextCursor, unreadable: unreadableRows }
  const nextPage = prefetchPage(pass, plan, row, cursorToStore)
  const rowsReadCount =
    done + (cursor.list < selectListFilters(plan, row).length ? page.objects.length : 0)
  if (cursorToStore && page.objects.length === 0)
    return { row, next: nextPage, done: rowsReadCount }
  const timeColumnsToSet = cursorToStore === null ? (['finishedAt', 'checkedAt'] as const) : []
  const progressChange = {
    cursor: cursorToStore,
    done: rowsReadCount,
    ...(cursorToStore === null ? { unreadable: unreadableRows } : {}),
  }
  const committedProgress = await storePage(pass, plan, cursor.account, page, (db) =>
    advanceCursor(db, row, progressChange, ...timeColumnsToSet),
  )
  return { row: committedProgress, next: nextPage, done: rowsReadCount }
}

/**
 * Commits each page with its cursor; committed pages stay. `accounts` are all accounts of the
 * platform, sorted. Throws errors of the read, `OutOfTimeError` and `CursorConflictError`.
 */
export async function readResource(
  pass: SyncPass,
  plan: SyncPlan,
  storedProgress: SyncProgress,
  accounts: readonly string[],
): Promise<SyncProgress> {
  const startedProgress = storedProgress.cursor
    ? storedProgress
    : await startResourceRead(pass, plan, storedProgress, accounts)
  let syncPosition: SyncPosition = {
    row: startedProgress,
    next: prefetchPage(pass, plan, startedProgress, startedProgress.cursor),
    done: startedProgress.done,
  }
  while (syncPosition.next)
    syncPosition = await commitPage(pass, plan, syncPosition, syncPosition.next, accounts)
  return syncPosition.row
}
