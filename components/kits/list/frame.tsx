'use client'

import { useRouter } from 'next/navigation'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
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
import { isLeaving, stay } from '@/lib/client/leaving'
import { onChanged } from '@/lib/client/live/changed'

/** `quiet`: a refresh that no person pressed is running, so rows stay in place. `moving`: another view of the list is loading. */
type ListNavigation = {
  pending: boolean
  quiet: boolean
  moving: boolean
  /** How the list is another than what is shown of it, and what shows it. */
  news: ListNews | null
  tellNews: (news: ListNews | null) => void
  go: (href: string) => void
  refresh: () => void
  /** Refreshes the list after an action, unless the person left it meanwhile. */
  refreshAfterAction: () => void
  /** Repeats a running refresh, because Next drops it when the history changes. */
  historyChanged: () => void
}

/** Why the list is read. */
type Reading = 'pressed' | 'action' | 'told'

type ListNews = { text: string; take: () => void }

const none = () => {}

const ListContext = createContext<ListNavigation>({
  pending: false,
  quiet: false,
  moving: false,
  news: null,
  tellNews: none,
  go: none,
  refresh: none,
  refreshAfterAction: none,
  historyChanged: none,
})

/** How the list moves: old rows stay, dimmed, while the next are read, because a blank list reads as "nothing there". */
export const useList = () => useContext(ListContext)

/** With an open row the address is not the one the list was drawn for: Next would read it twice and put back the address it began with. */
function readAgain(router: ReturnType<typeof useRouter>) {
  const { pathname, search } = window.location
  if (new URLSearchParams(search).has('open')) router.replace(`${pathname}${search}`, { scroll: false })
  else router.refresh()
}

/** How long a page that was gone to may take to come before the list is read again all the same (milliseconds). */
const patience = 10_000

type ListFrameProps = {
  /** The resources whose changes have it read again. */
  follows?: readonly string[]
  children: ReactNode
}

export function ListFrame({ follows = [], children }: ListFrameProps) {
  const router = useRouter()
  const [pending, start] = useTransition()
  const [reading, setReading] = useState<Reading | null>(null)
  const go = useCallback(
    (href: string) => {
      // Without a connection the router would hand over to the browser, and the list would be gone.
      if (!navigator.onLine) return
      setReading(null)
      start(() => router.push(href))
    },
    [router],
  )
  // One reading after the other: two at once are two answers to different addresses, and Next loads the whole page over that.
  const [wanted, setWanted] = useState<Reading | null>(null)
  const refresh = useCallback(() => setWanted(navigator.onLine ? 'pressed' : null), [])
  const refreshAfterAction = useCallback(
    () => setWanted((before) => (navigator.onLine ? (before === 'pressed' ? before : 'action') : null)),
    [],
  )
  const told = useCallback(() => setWanted((before) => before ?? 'told'), [])
  const running = pending ? reading : null
  const historyChanged = useCallback(() => setWanted((before) => before ?? running), [running])
  useEffect(() => {
    window.addEventListener('popstate', historyChanged)
    return () => window.removeEventListener('popstate', historyChanged)
  }, [historyChanged])
  useFollowed(follows.join(), told, wanted !== null || pending)
  useEffect(() => {
    if (pending || !wanted) return
    const read = () => {
      setWanted(null)
      setReading(wanted)
      start(() => readAgain(router))
      // To read it again is to go nowhere, though the router may say so.
      stay()
    }
    // While another page is loading, a refresh at the list's own URL would cancel that navigation.
    if (wanted === 'pressed' || !isLeaving()) return read()
    const timer = setTimeout(read, patience)
    return () => clearTimeout(timer)
  }, [wanted, pending, router])
  // The list is shown again, or another view of it arrived, possibly at the same URL.
  const [quiet, moving] = [reading === 'told', pending && reading === null]
  useEffect(() => {
    if (!moving) stay()
  }, [moving])
  const [news, tellNews] = useState<ListNews | null>(null)
  const value = useMemo(
    () => ({ pending, quiet, moving, news, tellNews, go, refresh, refreshAfterAction, historyChanged }),
    [pending, quiet, moving, news, go, refresh, refreshAfterAction, historyChanged],
  )
  return <ListContext value={value}>{children}</ListContext>
}

/** Tells of changes of some resources in the page's scope; whoever told it waits for as long as it is `busy` with them. */
function useFollowed(resources: string, tell: () => void, busy: boolean): void {
  const { environment, account } = usePageContext()
  const done = useRef(() => {})
  useFollowing(resources !== '')
  useEffect(() => {
    if (!resources) return
    const leave = onChanged((isChanged) => {
      const isShown = resources.split(',').some((resource) => isChanged([environment, account ?? 'platform', resource]))
      if (!isShown || !navigator.onLine) return null
      tell()
      return new Promise<void>((resolve) => {
        done.current = resolve
      })
    })
    return () => {
      leave()
      done.current()
    }
  }, [resources, environment, account, tell])
  useEffect(() => {
    if (!busy) done.current()
  }, [busy])
}

/** A link of the list that keeps the old rows while the next are read. Without script it is a link like any other. */
export const ListLink = (props: Omit<ComponentProps<typeof Link>, 'go'>) => <Link {...props} go={useList().go} />

/** Dims what is about to be replaced. */
export function Dimmed({ children }: { children: ReactNode }) {
  const { pending, quiet } = useList()
  const busy = pending && !quiet
  return (
    <div aria-busy={busy} className={busy ? 'opacity-55 transition-opacity delay-150' : undefined}>
      {children}
    </div>
  )
}

/** "Updating…" for everybody, beside the count. */
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
