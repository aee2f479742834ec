'use client'

import { RotateCw } from 'lucide'
import { useRouter } from 'next/navigation'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
} from 'react'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RefreshButton } from '@/components/kits/layout/refresh-button'
import { useLiveUpdates } from '@/components/kits/layout/use-live-updates'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { LineIcon } from '@/components/ui/line-icon'
import { subscribeToChanges } from '@/lib/client/live/change-listeners'
import { cancelNavigation, isNavigating } from '@/lib/client/navigation'

/**
 * The state of a list's navigation. `quiet`: the latest load was an automatic refresh, so rows stay
 * in place. `moving`: another view of the list (tab, filters or page) is loading.
 */
type ListNavigation = {
  pending: boolean
  quiet: boolean
  moving: boolean
  pendingChanges: PendingListChanges | null
  setPendingChanges: (changes: PendingListChanges | null) => void
  go: (href: string) => void
  refresh: () => void
  /**
   * Refreshes the list after an action. The refresh waits while a navigation away from the list is
   * pending.
   */
  refreshAfterAction: () => void
  /**
   * Call it after a change of the browser history. It repeats a running refresh, because Next
   * discards the response of that refresh.
   */
  historyChanged: () => void
}

/** The least urgent first: a change notification, an action, the Refresh button. */
const refreshCauses = ['told', 'action', 'pressed'] as const

type RefreshCause = (typeof refreshCauses)[number]

const pickMoreUrgentCause = (one: RefreshCause | null, other: RefreshCause): RefreshCause =>
  one && refreshCauses.indexOf(one) > refreshCauses.indexOf(other) ? one : other

/** Changes that are not shown yet, as text ("3 new"), and the function that shows them. */
type PendingListChanges = { text: string; apply: () => void }

const doNothing = () => {}

const ListContext = createContext<ListNavigation>({
  pending: false,
  quiet: false,
  moving: false,
  pendingChanges: null,
  setPendingChanges: doNothing,
  go: doNothing,
  refresh: doNothing,
  refreshAfterAction: doNothing,
  historyChanged: doNothing,
})

export const useListNavigation = () => useContext(ListContext)

/**
 * Refetches the list. If a row is open, the URL differs from the one for which the list was
 * rendered. `router.refresh` would then fetch twice and restore the old URL, so `router.replace` is
 * used.
 */
function refetchList(router: ReturnType<typeof useRouter>) {
  const { pathname, search } = window.location
  if (new URLSearchParams(search).has('open'))
    router.replace(`${pathname}${search}`, { scroll: false })
  else router.refresh()
}

/** Milliseconds that a refresh waits for a pending navigation before it runs anyway. */
const navigationTimeoutMs = 10_000

type ListFrameProps = {
  follows?: readonly string[]
  children: ReactNode
}

export function ListFrame({ follows = [], children }: ListFrameProps) {
  const router = useRouter()
  const [pending, start] = useTransition()
  // Only one refresh at a time: two responses for different URLs make Next reload the whole page.
  const [wantedCause, setWantedCause] = useState<RefreshCause | null>(null)
  const [startedCause, setStartedCause] = useState<RefreshCause | null>(null)
  const requestRefresh = useCallback(
    (cause: RefreshCause) => setWantedCause((before) => pickMoreUrgentCause(before, cause)),
    [],
  )
  const runningRefreshCause = pending ? startedCause : null
  const repeatRunningRefresh = useCallback(
    () => runningRefreshCause && requestRefresh(runningRefreshCause),
    [runningRefreshCause, requestRefresh],
  )
  useWindowEvent('popstate', repeatRunningRefresh)
  const onRefreshDoneRef = useResourceChanges(follows.join(), requestRefresh)
  useEffect(() => {
    if (pending) return
    if (!wantedCause) return onRefreshDoneRef.current()
    const startRefresh = () => {
      setWantedCause(null)
      setStartedCause(wantedCause)
      start(() => refetchList(router))
      // A refresh is not a navigation: clear the router's "leaving" flag.
      cancelNavigation()
    }
    // A refresh would cancel a pending navigation, so it waits, unless the person pressed Refresh.
    if (wantedCause === 'pressed' || !isNavigating()) return startRefresh()
    const timer = setTimeout(startRefresh, navigationTimeoutMs)
    return () => clearTimeout(timer)
  }, [wantedCause, pending, router, onRefreshDoneRef])
  const [pendingChanges, setPendingChanges] = useState<PendingListChanges | null>(null)
  const listNavigation = useMemo<ListNavigation>(() => {
    const navigateInList = (href: string) => {
      setStartedCause(null)
      start(() => router.push(href))
      // Another view of the list is no navigation away from the list: clear the flag here too.
      cancelNavigation()
    }
    // Offline, the refresh would wait for the connection, and the list would stay dimmed until
    // then.
    const requestRefreshIfOnline = (cause: RefreshCause) =>
      navigator.onLine && requestRefresh(cause)
    return {
      pending,
      quiet: startedCause === 'told',
      moving: pending && startedCause === null,
      pendingChanges,
      setPendingChanges,
      go: navigateInList,
      refresh: () => requestRefreshIfOnline('pressed'),
      refreshAfterAction: () => requestRefreshIfOnline('action'),
      historyChanged: repeatRunningRefresh,
    }
  }, [pending, startedCause, pendingChanges, router, requestRefresh, repeatRunningRefresh])
  return <ListContext value={listNavigation}>{children}</ListContext>
}

/**
 * Requests a refresh when one of the resources (comma-separated) has changed in the page's scope.
 * The change notifier then waits until the list is refetched: the caller must call the function in
 * the returned ref at that time.
 */
function useResourceChanges(
  resources: string,
  want: (cause: RefreshCause) => void,
): RefObject<() => void> {
  const { environment, account } = usePageContext()
  const refreshDoneCallbackRef = useRef(doNothing)
  useLiveUpdates(resources !== '')
  useEffect(() => {
    if (!resources) return
    const unsubscribe = subscribeToChanges((isChanged) => {
      const isResourceChanged = resources
        .split(',')
        .some((resource) => isChanged([environment, account ?? 'platform', resource]))
      if (!isResourceChanged || !navigator.onLine) return null
      want('told')
      return new Promise<void>((resolve) => {
        refreshDoneCallbackRef.current = resolve
      })
    })
    return () => {
      unsubscribe()
      refreshDoneCallbackRef.current()
    }
  }, [resources, environment, account, want])
  return refreshDoneCallbackRef
}

/** The old rows stay visible while the new ones load. Without JavaScript it is a normal link. */
export const ListLink = (props: Omit<ComponentProps<typeof Link>, 'go'>) => (
  <Link {...props} go={useListNavigation().go} />
)

/** The old rows stay visible, because a blank list looks like an empty one. */
export function DimmedWhileLoading({ children }: { children: ReactNode }) {
  const { pending, quiet } = useListNavigation()
  const isBusy = pending && !quiet
  return (
    <div
      aria-busy={isBusy}
      className={isBusy ? 'opacity-55 transition-opacity delay-150' : undefined}
    >
      {children}
    </div>
  )
}

export function UpdatingText() {
  const { pending, quiet } = useListNavigation()
  return (
    <span role="status" className="sr-only">
      {pending && !quiet ? 'Updating…' : ''}
    </span>
  )
}

export function RefreshListButton() {
  const { pending, quiet, refresh } = useListNavigation()
  const isReading = pending && !quiet
  return (
    <RefreshButton
      size="icon"
      variant="quiet"
      title="Refresh"
      aria-label="Refresh"
      reading={isReading}
      onRefresh={refresh}
    >
      {!isReading && <LineIcon shapes={RotateCw} />}
    </RefreshButton>
  )
}
