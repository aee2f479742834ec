import { isUuid } from '@/lib/formats'
import { pages } from '@/lib/pages'
import { type RecordResource, recordResources } from '@/lib/routes'

/** One record somebody opened, with the account its link named as the record's own. */
export type RecentRecord = { environment: string; resource: RecordResource; id: string; account: string | null }

const most = 8
let records: readonly RecentRecord[] = []

const withRecords = new Set<string>(recordResources)

/** The record an address shows, on a page of its own or beside its list (`open`); null where it shows none. */
export function recordIn(pathname: string, search: URLSearchParams): RecentRecord | null {
  const [, environment = '', segment = '', inPath] = pathname.split('/')
  const page = pages.find(({ path }) => path === `/${segment}`)
  const id = inPath ?? search.get('open') ?? ''
  if (!page || !withRecords.has(page.id) || !isUuid(id)) return null
  return { environment, resource: page.id as RecordResource, id, account: search.get('of') }
}

/** Notes that a record was opened; the eight newest are kept for as long as the page lives. */
export function noteRecord(record: RecentRecord): void {
  records = [record, ...records.filter((each) => each.resource !== record.resource || each.id !== record.id)].slice(0, most)
}

/** The records opened in an environment, newest first. */
export const recentRecords = (environment: string): readonly RecentRecord[] =>
  records.filter((record) => record.environment === environment)
