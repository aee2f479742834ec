'use client'

import { useRouter } from 'next/navigation'
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useTransition,
} from 'react'
import { Link } from '@/components/kits/layout/link'
import { Button } from '@/components/ui/button'

type ListNavigation = { pending: boolean; go: (href: string) => void; refresh: () => void }

const ListContext = createContext<ListNavigation>({ pending: false, go: () => {}, refresh: () => {} })

/** How the list moves: old rows stay, dimmed, while the next are read, because a blank list reads as "nothing there". */
export const useList = () => useContext(ListContext)

/** With an open row the address is not the one the list was drawn for: Next would read it twice and put back the address it began with. */
function readAgain(router: ReturnType<typeof useRouter>) {
  const { pathname, search } = window.location
  if (new URLSearchParams(search).has('open')) router.replace(`${pathname}${search}`, { scroll: false })
  else router.refresh()
}

export function ListFrame({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [pending, start] = useTransition()
  // Without a connection the router would hand over to the browser, and the list would be gone.
  const go = useCallback((href: string) => navigator.onLine && start(() => router.push(href)), [router])
  // One reading after the other: two at once are two answers to different addresses, and Next loads the whole page over that.
  const [wanted, setWanted] = useState(false)
  const refresh = useCallback(() => setWanted(navigator.onLine), [])
  useEffect(() => {
    if (!wanted || pending) return
    setWanted(false)
    start(() => readAgain(router))
  }, [wanted, pending, router])
  const value = useMemo(() => ({ pending, go, refresh }), [pending, go, refresh])
  return <ListContext value={value}>{children}</ListContext>
}

/** Whether a click means "here", not "in a new tab". */
export const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

/** A link of the list that keeps the old rows while the next are read. Without script it is a link like any other. */
export function ListLink({ href, onClick, ...props }: Omit<ComponentProps<typeof Link>, 'href'> & { href: string }) {
  const { go } = useList()
  return (
    <Link
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!isPlainClick(event)) return
        event.preventDefault()
        go(href)
      }}
    />
  )
}

/** Dims what is about to be replaced. */
export function Dimmed({ children }: { children: ReactNode }) {
  const { pending } = useList()
  return (
    <div aria-busy={pending} className={pending ? 'opacity-55 transition-opacity delay-150' : undefined}>
      {children}
    </div>
  )
}

/** "Updating…" for everybody, beside the count. */
export function Updating() {
  const { pending } = useList()
  return (
    <span role="status" className="text-ink-3 text-xs">
      {pending ? 'Updating…' : ''}
    </span>
  )
}

export function RefreshButton() {
  const { pending, refresh } = useList()
  return (
    <Button size="small" variant="quiet" loading={pending} onClick={refresh}>
      Refresh
    </Button>
  )
}
