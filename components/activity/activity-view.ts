import { type CallFilter, callFilterOf } from '@/lib/operations/activity'
import { activityPath } from '@/lib/routes'

/** The parts of the page. */
export const activityTabs = ['unknown', 'requests', 'errors'] as const
export type ActivityTab = (typeof activityTabs)[number]

/** What the page shows, as its URL says it. */
export type ActivityView = CallFilter & { tab: ActivityTab; page: number }

type Search = Record<string, string | string[] | undefined>

/** Reads the page's state from its URL; unknown words are left out. `first` is the tab without a word. */
export function activityViewOf(search: Search, first: ActivityTab): ActivityView {
  const page = Number(search.page ?? 1)
  return {
    ...callFilterOf(search),
    tab: activityTabs.find((tab) => tab === search.tab) ?? first,
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  }
}

/** The URL of a view with a part of it changed; any change but of the page goes to the first page. */
export function activityHref(environment: string, account: string | null, view: ActivityView, change: Partial<ActivityView> = {}): string {
  const { tab, page, ...filter } = { ...view, page: 1, ...change }
  return activityPath(environment, { account, tab, ...filter, page: page === 1 ? null : page })
}

/** Whether anything narrows the list of requests. */
export const isNarrowed = (view: ActivityView): boolean => Object.values(callFilterOf(view)).some((value) => value !== undefined)
