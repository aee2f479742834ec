import { isUuid } from '@/lib/formats'
import { pages } from '@/lib/pages'
import { type RecordResource, recordResources } from '@/lib/routes'

/** An opened record, with the record's own account as named in the link. */
export type RecentRecord = { environment: string; resource: RecordResource; id: string; account: string | null }

const maxRecords = 8
let records: readonly RecentRecord[] = []

const withRecords = new Set<string>(recordResources)

/** Returns the record that a URL shows, on its own page or in the side panel (`open`), or null. */
export function recordIn(pathname: string, search: URLSearchParams): RecentRecord | null {
  const [, environment = '', segment = '', inPath] = pathname.split('/')
  const page = pages.find(({ path }) => path === `/${segment}`)
  const id = inPath ?? search.get('open') ?? ''
  if (!page || !withRecords.has(page.id) || !isUuid(id)) return null
  return { environment, resource: page.id as RecordResource, id, account: search.get('of') }
}

/** Records that a record was opened. Keeps the newest eight until the page unloads. */
export function noteRecord(record: RecentRecord): void {
  records = [record, ...records.filter((each) => each.resource !== record.resource || each.id !== record.id)].slice(0, maxRecords)
}

export const recentRecords = (environment: string): readonly RecentRecord[] =>
  records.filter((record) => record.environment === environment)
