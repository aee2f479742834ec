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
import { useFollowing } from '@/components/kits/layout/use-following'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { isLeaving, stay } from '@/lib/client/leaving'
import { onChanged } from '@/lib/client/live/changed'

/** `quiet`: an automatic refresh is running, so rows stay in place. `moving`: another view of the list is loading. */
type ListNavigation = {
  pending: boolean
  quiet: boolean
  moving: boolean
  pendingChanges: Changes | null
  setPendingChanges: (changes: Changes | null) => void
  go: (href: string) => void
  refresh: () => void
  /** Refreshes the list after an action, unless the person has left the list. */
  refreshAfterAction: () => void
  /** Repeats a running refresh, because Next drops it when the history changes. */
  historyChanged: () => void
}

/** The causes of a refresh, the least urgent first: a change notification, an action, the person. */
const causes = ['told', 'action', 'pressed'] as const

type Cause = (typeof causes)[number]

const moreUrgent = (one: Cause | null, other: Cause): Cause => (one && causes.indexOf(one) > causes.indexOf(other) ? one : other)

/** Changes that are not shown yet ("3 new, 1 left"), and the function that applies them. */
type Changes = { text: string; apply: () => void }

const none = () => {}

const ListContext = createContext<ListNavigation>({
  pending: false,
  quiet: false,
  moving: false,
  pendingChanges: null,
  setPendingChanges: none,
  go: none,
  refresh: none,
  refreshAfterAction: none,
  historyChanged: none,
})

/** Navigation state of the list. Old rows stay, dimmed, while the next load, because a blank list looks like an empty one. */
export const useList = () => useContext(ListContext)

/**
 * Refetches the list. With an open row the URL differs from the one the list was rendered for: `refresh` would fetch twice and restore the
 * old URL.
 */
function readAgain(router: ReturnType<typeof useRouter>) {
  const { pathname, search } = window.location
  if (new URLSearchParams(search).has('open')) router.replace(`${pathname}${search}`, { scroll: false })
  else router.refresh()
}

/** Milliseconds a pending navigation may take before the list is refetched anyway. */
const patience = 10_000

type ListFrameProps = {
  /** The resources whose changes refetch the list. */
  follows?: readonly string[]
  children: ReactNode
}

export function ListFrame({ follows = [], children }: ListFrameProps) {
  const router = useRouter()
  const [pending, start] = useTransition()
  // One refresh at a time: two responses for different URLs make Next reload the whole page.
  const [wanted, setWanted] = useState<Cause | null>(null)
  const [reading, setReading] = useState<Cause | null>(null)
  const want = useCallback((cause: Cause) => setWanted((before) => moreUrgent(before, cause)), [])
  const running = pending ? reading : null
  const historyChanged = useCallback(() => running && want(running), [running, want])
  useWindowEvent('popstate', historyChanged)
  const endNotice = useFollowed(follows.join(), want)
  useEffect(() => {
    if (pending) return
    if (!wanted) return endNotice.current()
    const read = () => {
      setWanted(null)
      setReading(wanted)
      start(() => readAgain(router))
      // A refresh does not leave the list: clear the router's "leaving" flag.
      stay()
    }
    // While another page is loading, a refresh at the list's own URL would cancel that navigation.
    if (wanted === 'pressed' || !isLeaving()) return read()
    const timer = setTimeout(read, patience)
    return () => clearTimeout(timer)
  }, [wanted, pending, router, endNotice])
  const [pendingChanges, setPendingChanges] = useState<Changes | null>(null)
  const value = useMemo<ListNavigation>(() => {
    const go = (href: string) => {
      setReading(null)
      start(() => router.push(href))
      // Another view does not leave the list either.
      stay()
    }
    // Offline, the list would stay dimmed until the line is back, for a page that nobody asked for.
    const wantOnline = (cause: Cause) => navigator.onLine && want(cause)
    return {
      pending,
      quiet: reading === 'told',
      moving: pending && reading === null,
      pendingChanges,
      setPendingChanges,
      go,
      refresh: () => wantOnline('pressed'),
      refreshAfterAction: () => wantOnline('action'),
      historyChanged,
    }
  }, [pending, reading, pendingChanges, router, want, historyChanged])
  return <ListContext value={value}>{children}</ListContext>
}

/** Calls `want` on changes of some resources in the page's scope. The notifier waits until the function in the returned ref is called. */
function useFollowed(resources: string, want: (cause: Cause) => void): RefObject<() => void> {
  const { environment, account } = usePageContext()
  const done = useRef(none)
  useFollowing(resources !== '')
  useEffect(() => {
    if (!resources) return
    const leave = onChanged((isChanged) => {
      const isShown = resources.split(',').some((resource) => isChanged([environment, account ?? 'platform', resource]))
      if (!isShown || !navigator.onLine) return null
      want('told')
      return new Promise<void>((resolve) => {
        done.current = resolve
      })
    })
    return () => {
      leave()
      done.current()
    }
  }, [resources, environment, account, want])
  return done
}

/** A link within the list that keeps the old rows while the next load. Without script it is a normal link. */
export const ListLink = (props: Omit<ComponentProps<typeof Link>, 'go'>) => <Link {...props} go={useList().go} />

/** Dims content that is about to be replaced. */
export function Dimmed({ children }: { children: ReactNode }) {
  const { pending, quiet } = useList()
  const busy = pending && !quiet
  return (
    <div aria-busy={busy} className={busy ? 'opacity-55 transition-opacity delay-150' : undefined}>
      {children}
    </div>
  )
}

/** "Updating…" beside the count, also for screen readers. */
export function Updating() {
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
