'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type ComponentProps, createContext, type MouseEvent, type ReactNode, useCallback, useContext, useMemo, useTransition } from 'react'

type ListNavigation = { pending: boolean; go: (href: string) => void; refresh: () => void }

const ListContext = createContext<ListNavigation>({ pending: false, go: () => {}, refresh: () => {} })

/** How the list moves: old rows stay, dimmed, while the next are read, because a blank list reads as "nothing there". */
export const useList = () => useContext(ListContext)

export function ListFrame({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [pending, start] = useTransition()
  const go = useCallback((href: string) => start(() => router.push(href)), [router])
  const refresh = useCallback(() => start(() => router.refresh()), [router])
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
      prefetch={false}
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
