import 'server-only'
import { AppError } from '@/lib/errors'
import type { SyncCursor } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'
import { type ListObject, readPage, requireTimeLeft, type SyncPage, type SyncPass } from './call'
import type { ChangeFilter, ListFilter, SyncPlan } from './plans'
import { advanceCursor, type SyncProgress } from './state'
import { storePage } from './store-page'

const getChangeTime = (object: ListObject, { by }: ChangeFilter): string | null => {
  const changeTimeText = object[by]
  return typeof changeTimeText === 'string' && !Number.isNaN(Date.parse(changeTimeText))
    ? changeTimeText
    : null
}

const isBefore = (one: string, other: string): boolean => Date.parse(one) < Date.parse(other)

/** A date for `transfer_date`, otherwise a timestamp. */
function toTimeFilterValue({ by, overlap }: ChangeFilter, since: string): string {
  const time = new Date(Date.parse(since) - overlap).toISOString()
  return by === 'transfer_date' ? time.slice(0, 10) : time
}

type ChangesRequest = { way: ChangeFilter; from: string | null; page: number }

/** True if the response contains rows from before the requested time. */
const isFilterIgnored = ({ way, from }: ChangesRequest, { objects }: SyncPage): boolean =>
  from !== null &&
  way.by !== 'transfer_date' &&
  objects.some((object) => isBefore(getChangeTime(object, way) ?? '1970', from))

const toListFilter = ({ way, from }: ChangesRequest): ListFilter => ({
  sort_by: way.by,
  sort_order: 'asc',
  ...(from ? { [way.from]: from } : {}),
})

/**
 * Rows that change during the read move to the end of the list, so page numbers would skip rows.
 * The next request therefore starts at the time of the last row.
 */
function toNextChangesRequest(
  request: ChangesRequest,
  newestChangeTime: string | null,
): ChangesRequest {
  const hasNewerTime =
    newestChangeTime !== null &&
    request.way.by !== 'transfer_date' &&
    (request.from === null || isBefore(request.from, newestChangeTime))
  return hasNewerTime
    ? { ...request, from: newestChangeTime, page: 1 }
    : { ...request, page: request.page + 1 }
}

/** Null if the service does not support the filter. */
async function readChangesPage(
  pass: SyncPass,
  plan: SyncPlan,
  request: ChangesRequest,
): Promise<SyncPage | null> {
  requireTimeLeft(pass)
  try {
    const page = await readPage(pass, plan, null, toListFilter(request), request.page)
    return isFilterIgnored(request, page) ? null : page
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_refused') return null
    throw error
  }
}

const pickLaterTime = (one: string | null, other: string | null): string | null =>
  one !== null && (other === null || isBefore(other, one)) ? one : other

/** Returns false if the service does not support the filter. */
async function readAllChanges(
  pass: SyncPass,
  plan: SyncPlan,
  row: SyncProgress,
  cursor: SyncCursor,
  first: ChangesRequest,
): Promise<boolean> {
  let [progress, request, since] = [row, first, cursor.since]
  for (;;) {
    const page = await readChangesPage(pass, plan, request)
    if (!page) return false
    const pageNewestChangeTime =
      page.objects
        .map((object) => getChangeTime(object, first.way))
        .findLast((time) => time !== null) ?? null
    since = pickLaterTime(pageNewestChangeTime, since)
    const progressChange = { cursor: { ...cursor, since } }
    const previousProgress = progress
    const timeColumnsToSet = page.isLast ? (['checkedAt'] as const) : []
    progress = await storePage(pass, plan, null, page, (db) =>
      advanceCursor(db, previousProgress, progressChange, ...timeColumnsToSet),
    )
    if (page.isLast) return true
    request = toNextChangesRequest(request, pageNewestChangeTime)
  }
}

/**
 * Reads the changes of the whole platform with a few calls, whatever the number of accounts. If the
 * service does not support a filter, tries the next one of the plan. Throws errors of the read,
 * `OutOfTimeError` and `CursorConflictError`.
 */
export async function readChanges(
  pass: SyncPass,
  plan: SyncPlan,
  row: SyncProgress,
): Promise<void> {
  const { cursor } = row
  const changeFilter = plan.changes[cursor?.list ?? 0]
  if (!cursor || !changeFilter) return
  const firstRequest: ChangesRequest = {
    way: changeFilter,
    from: cursor.since === null ? null : toTimeFilterValue(changeFilter, cursor.since),
    page: 1,
  }
  if (await readAllChanges(pass, plan, row, cursor, firstRequest)) return
  const nextProgress = await advanceCursor(await getDatabase(), row, {
    cursor: { ...cursor, list: cursor.list + 1 },
  })
  return readChanges(pass, plan, nextProgress)
}
