import type { CallResult } from '@/lib/operations/activity'
import { callResults } from '@/lib/operations/activity'
import { isOperationId, type OperationId } from '@/lib/operations/rows'
import { deskPath } from '@/lib/routes'

/** The parts of the page. */
export const activityTabs = ['unknown', 'requests', 'errors'] as const
export type ActivityTab = (typeof activityTabs)[number]

/** What the page shows, as its URL says it. */
export type ActivityView = {
  tab: ActivityTab
  operation?: OperationId
  result?: CallResult
  error?: string
  target?: string
  /** Only the reader's own calls. */
  mine: boolean
  page: number
}

type Search = Record<string, string | string[] | undefined>

const one = (value: string | string[] | undefined): string => (typeof value === 'string' ? value.trim() : '')

/** Reads the page's state from its URL; unknown words are left out. `first` is the tab without a word. */
export function activityViewOf(search: Search, first: ActivityTab): ActivityView {
  const operation = one(search.operation)
  const page = Number(one(search.page))
  return {
    tab: activityTabs.find((tab) => tab === search.tab) ?? first,
    operation: isOperationId(operation) ? operation : undefined,
    result: callResults.find((result) => result === search.result),
    error: /^[a-z_]{1,40}$/.test(one(search.error)) ? one(search.error) : undefined,
    target: /^[a-z_]+\/[0-9a-f-]{36}$/.test(one(search.target)) ? one(search.target) : undefined,
    mine: search.mine === 'yes',
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  }
}

/** The URL of a view with a part of it changed; any change but of the page goes to the first page. */
export function activityHref(environment: string, account: string | null, view: ActivityView, change: Partial<ActivityView> = {}): string {
  const { tab, operation, result, error, target, mine, page } = { ...view, page: 1, ...change }
  const search = { account, tab, operation, result, error, target, mine: mine ? 'yes' : null, page: page === 1 ? null : page }
  return deskPath(environment, '/activity', search)
}

/** Whether anything narrows the list of requests. */
export const isNarrowed = ({ operation, result, error, target, mine }: ActivityView): boolean =>
  Boolean(operation || result || error || target || mine)
