import { isUuid } from '@/lib/formats'
import { pages } from '@/lib/pages'
import { type RecordResource, recordResources } from '@/lib/routes'

/** An opened record. `account` is the record's account, if the URL contains it. */
export type RecentRecord = { environment: string; resource: RecordResource; id: string; account: string | null }

const maxRecords = 8
let openedRecords: readonly RecentRecord[] = []

const recordPageIds = new Set<string>(recordResources)

/** Returns the record in a URL: on its own page, or beside a list (`open`). Null if there is none. */
export function parseRecordUrl(pathname: string, search: URLSearchParams): RecentRecord | null {
  const [, environment = '', segment = '', pathId] = pathname.split('/')
  const page = pages.find(({ path }) => path === `/${segment}`)
  const id = pathId ?? search.get('open') ?? ''
  if (!page || !recordPageIds.has(page.id) || !isUuid(id)) return null
  return { environment, resource: page.id as RecordResource, id, account: search.get('of') }
}

/** Adds a record to the recent ones. The newest eight are kept until the page unloads. */
export function noteRecord(record: RecentRecord): void {
  openedRecords = [record, ...openedRecords.filter((each) => each.resource !== record.resource || each.id !== record.id)].slice(
    0,
    maxRecords,
  )
}

export const listRecentRecords = (environment: string): readonly RecentRecord[] =>
  openedRecords.filter((record) => record.environment === environment)
