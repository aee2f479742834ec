import { isUuid } from '@/lib/formats'
import { pages } from '@/lib/pages'
import { type RecordResource, recordResources } from '@/lib/routes'

/** A record that was opened in this tab. `account` is null if the URL did not contain it. */
export type RecentRecord = {
  environment: string
  resource: RecordResource
  id: string
  account: string | null
}

const maxRecentRecords = 8
let openedRecords: readonly RecentRecord[] = []

const recordPageIds = new Set<string>(recordResources)

/**
 * Returns the record that a URL shows: on the record's own page, or in the panel of a list
 * (`?open=<id>`). Null if the URL shows no record.
 */
export function parseRecordUrl(pathname: string, search: URLSearchParams): RecentRecord | null {
  const [, environment = '', segment = '', pathId] = pathname.split('/')
  const page = pages.find(({ path }) => path === `/${segment}`)
  const id = pathId ?? search.get('open') ?? ''
  if (!page || !recordPageIds.has(page.id) || !isUuid(id)) return null
  return { environment, resource: page.id as RecordResource, id, account: search.get('of') }
}

const isSameRecord = (one: RecentRecord, other: RecentRecord): boolean =>
  one.environment === other.environment && one.resource === other.resource && one.id === other.id

/** The newest eight of each environment are kept until the page unloads. */
export function addRecentRecord(record: RecentRecord): void {
  const sameEnvironmentRecords = listRecentRecords(record.environment).filter(
    (each) => !isSameRecord(each, record),
  )
  const otherEnvironmentRecords = openedRecords.filter(
    ({ environment }) => environment !== record.environment,
  )
  openedRecords = [
    record,
    ...sameEnvironmentRecords.slice(0, maxRecentRecords - 1),
    ...otherEnvironmentRecords,
  ]
}

export const listRecentRecords = (environment: string): readonly RecentRecord[] =>
  openedRecords.filter((record) => record.environment === environment)
