'use client'

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
import { subscribeToChanges } from '@/lib/client/live/change-listeners'
import { cancelNavigation, isNavigating } from '@/lib/client/navigation'

/** `quiet`: an automatic refresh is running, so rows stay in place. `moving`: another view of the list is loading. */
type ListNavigation = {
  pending: boolean
  quiet: boolean
  moving: boolean
  pendingChanges: Changes | null
  setPendingChanges: (changes: Changes | null) => void
  go: (href: string) => void
  refresh: () => void
  /** Refreshes the list after an action. While a navigation away from the list is pending, the refresh waits. */
  refreshAfterAction: () => void
  /** Repeats a refresh that is running, because Next discards its response when the history changes. */
  historyChanged: () => void
}

/** Causes of a refresh, the least urgent first: a change notification, an action, the Refresh button. */
const refreshCauses = ['told', 'action', 'pressed'] as const

type RefreshCause = (typeof refreshCauses)[number]

const pickMoreUrgentCause = (one: RefreshCause | null, other: RefreshCause): RefreshCause =>
  one && refreshCauses.indexOf(one) > refreshCauses.indexOf(other) ? one : other

/** Text of the changes that are not shown yet ("3 new, 1 left"), and the function that shows them. */
type Changes = { text: string; apply: () => void }

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

/** Returns the navigation state. Old rows stay, dimmed, while new ones load, because a blank list looks like an empty one. */
export const useList = () => useContext(ListContext)

/**
 * Refetches the list. With an open row, the URL differs from the one the list was rendered for. `refresh` would then fetch twice and
 * restore the old URL.
 */
function refetchList(router: ReturnType<typeof useRouter>) {
  const { pathname, search } = window.location
  if (new URLSearchParams(search).has('open')) router.replace(`${pathname}${search}`, { scroll: false })
  else router.refresh()
}

/** Milliseconds that a refresh waits for a pending navigation before it runs anyway. */
const navigationTimeout = 10_000

type ListFrameProps = {
  /** The resources whose changes refetch the list. */
  follows?: readonly string[]
  children: ReactNode
}

export function ListFrame({ follows = [], children }: ListFrameProps) {
  const router = useRouter()
  const [pending, start] = useTransition()
  // Only one refresh runs at a time: two responses for different URLs make Next reload the whole page.
  const [wantedCause, setWantedCause] = useState<RefreshCause | null>(null)
  const [startedCause, setStartedCause] = useState<RefreshCause | null>(null)
  const requestRefresh = useCallback((cause: RefreshCause) => setWantedCause((before) => pickMoreUrgentCause(before, cause)), [])
  const runningCause = pending ? startedCause : null
  const historyChanged = useCallback(() => runningCause && requestRefresh(runningCause), [runningCause, requestRefresh])
  useWindowEvent('popstate', historyChanged)
  const settleNotification = useResourceChanges(follows.join(), requestRefresh)
  useEffect(() => {
    if (pending) return
    if (!wantedCause) return settleNotification.current()
    const startRefresh = () => {
      setWantedCause(null)
      setStartedCause(wantedCause)
      start(() => refetchList(router))
      // A refresh is not a navigation: clear the router's "leaving" flag.
      cancelNavigation()
    }
    // While another page is loading, a refresh of the list would cancel that navigation.
    if (wantedCause === 'pressed' || !isNavigating()) return startRefresh()
    const timer = setTimeout(startRefresh, navigationTimeout)
    return () => clearTimeout(timer)
  }, [wantedCause, pending, router, settleNotification])
  const [pendingChanges, setPendingChanges] = useState<Changes | null>(null)
  const value = useMemo<ListNavigation>(() => {
    const go = (href: string) => {
      setStartedCause(null)
      start(() => router.push(href))
      // Another view of the list is not a navigation away from it either.
      cancelNavigation()
    }
    // Offline, the refresh would wait for the connection, and the list would stay dimmed until then.
    const requestIfOnline = (cause: RefreshCause) => navigator.onLine && requestRefresh(cause)
    return {
      pending,
      quiet: startedCause === 'told',
      moving: pending && startedCause === null,
      pendingChanges,
      setPendingChanges,
      go,
      refresh: () => requestIfOnline('pressed'),
      refreshAfterAction: () => requestIfOnline('action'),
      historyChanged,
    }
  }, [pending, startedCause, pendingChanges, router, requestRefresh, historyChanged])
  return <ListContext value={value}>{children}</ListContext>
}

/**
 * Calls `want` when one of the resources has changed in the page's scope. The notifier waits until the list is refetched: the caller must
 * then call the function in the returned ref.
 */
function useResourceChanges(resources: string, want: (cause: RefreshCause) => void): RefObject<() => void> {
  const { environment, account } = usePageContext()
  const markAsDone = useRef(doNothing)
  useLiveUpdates(resources !== '')
  useEffect(() => {
    if (!resources) return
    const unsubscribe = subscribeToChanges((isChanged) => {
      const isShown = resources.split(',').some((resource) => isChanged([environment, account ?? 'platform', resource]))
      if (!isShown || !navigator.onLine) return null
      want('told')
      return new Promise<void>((resolve) => {
        markAsDone.current = resolve
      })
    })
    return () => {
      unsubscribe()
      markAsDone.current()
    }
  }, [resources, environment, account, want])
  return markAsDone
}

/** A link within the list. Old rows stay visible while new ones load. Without JavaScript it is a normal link. */
export const ListLink = (props: Omit<ComponentProps<typeof Link>, 'go'>) => <Link {...props} go={useList().go} />

/** Dims its content while new content loads. */
export function DimmedWhileLoading({ children }: { children: ReactNode }) {
  const { pending, quiet } = useList()
  const busy = pending && !quiet
  return (
    <div aria-busy={busy} className={busy ? 'opacity-55 transition-opacity delay-150' : undefined}>
      {children}
    </div>
  )
}

/** "Updating…" beside the count, also announced by screen readers. */
export function UpdatingText() {
  const { pending, quiet } = useList()
  return (
    <span role="status" className="text-ink-3 text-xs">
      {pending && !quiet ? 'Updating…' : ''}
    </span>
  )
}

export function RefreshList() {
  const { pending, quiet, refresh } = useList()
  return <RefreshButton variant="quiet" reading={pending && !quiet} onRefresh={refresh} />
}
