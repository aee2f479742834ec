import 'server-only'
import { AppError } from '@/lib/errors'
import type { SyncCursor } from '@/lib/server/store/schema/mirror'
import { database } from '@/lib/server/store/store'
import { type Listed, type Page, type Pass, readPage, requireTime } from './call'
import { keepPage } from './keep-page'
import type { Changes, Filter, Plan } from './plans'
import { advance, type Progress } from './state'

const timeOf = (object: Listed, { by }: Changes): string | null => {
  const text = object[by]
  return typeof text === 'string' && !Number.isNaN(Date.parse(text)) ? text : null
}

const isBefore = (one: string, other: string): boolean => Date.parse(one) < Date.parse(other)

/** Returns the time filter for changes since a time, minus the overlap: a date for `transfer_date`, otherwise a timestamp. */
function bound({ by, overlap }: Changes, since: string): string {
  const time = new Date(Date.parse(since) - overlap).toISOString()
  return by === 'transfer_date' ? time.slice(0, 10) : time
}

type Asked = { way: Changes; from: string | null; page: number }

/** True if a response contains rows that are older than the filter: then the service ignores the filter. */
const ignores = ({ way, from }: Asked, { objects }: Page): boolean =>
  from !== null && way.by !== 'transfer_date' && objects.some((object) => isBefore(timeOf(object, way) ?? '1970', from))

const filterOf = ({ way, from }: Asked): Filter => ({ sort_by: way.by, sort_order: 'asc', ...(from ? { [way.from]: from } : {}) })

/**
 * Returns the next request. Rows that change during the read move to the end of the list, so page numbers would skip rows. The next request
 * therefore starts at the time of the last row.
 */
function next(asked: Asked, newest: string | null): Asked {
  const moved = newest !== null && asked.way.by !== 'transfer_date' && (asked.from === null || isBefore(asked.from, newest))
  return moved ? { ...asked, from: newest, page: 1 } : { ...asked, page: asked.page + 1 }
}

/** Returns a page of changes; null if the service does not support the filter. */
async function pageOf(pass: Pass, plan: Plan, asked: Asked): Promise<Page | null> {
  requireTime(pass)
  try {
    const page = await readPage(pass, plan, null, filterOf(asked), asked.page)
    return ignores(asked, page) ? null : page
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_refused') return null
    throw error
  }
}

const laterOf = (one: string | null, other: string | null): string | null =>
  one !== null && (other === null || isBefore(other, one)) ? one : other

/** Reads and stores all changes by one filter. Returns false if the service does not support the filter. */
async function ask(pass: Pass, plan: Plan, row: Progress, cursor: SyncCursor, first: Asked): Promise<boolean> {
  let [at, asked, since] = [row, first, cursor.since]
  for (;;) {
    const page = await pageOf(pass, plan, asked)
    if (!page) return false
    const newest = page.objects.map((object) => timeOf(object, first.way)).findLast((time) => time !== null) ?? null
    since = laterOf(newest, since)
    const change = { cursor: { ...cursor, since } }
    const before = at
    const stamps = page.isLast ? (['checkedAt'] as const) : []
    at = await keepPage(pass, plan, null, page, (db) => advance(db, before, change, ...stamps))
    if (page.isLast) return true
    asked = next(asked, newest)
  }
}

/**
 * Reads the changes since the cursor with a few calls for the whole platform, whatever the number of accounts. Throws errors of the read,
 * `OutOfTime` and `Overtaken`.
 */
export async function readChanges(pass: Pass, plan: Plan, row: Progress): Promise<void> {
  const { cursor } = row
  const changeFilter = plan.changes[cursor?.list ?? 0]
  if (!cursor || !changeFilter) return
  const first: Asked = { way: changeFilter, from: cursor.since === null ? null : bound(changeFilter, cursor.since), page: 1 }
  if (await ask(pass, plan, row, cursor, first)) return
  const another = await advance(await database(), row, { cursor: { ...cursor, list: cursor.list + 1 } })
  return readChanges(pass, plan, another)
}
