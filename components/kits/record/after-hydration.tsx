'use client'

import { IsRestoringProvider } from '@tanstack/react-query'
import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, startTransition, useEffect, useState } from 'react'
import { withStandIn } from '@/components/kits/layout/lazy-part'

const arriving: Promise<unknown>[] = []

/**
 * A part of a record that is drawn on the server and whose script comes a moment after the first ones. It is sent for at once, not when it is
 * first drawn: see `PauseQueriesUntilHydrated`.
 */
export function afterHydration<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  const asModule = () => withStandIn(load)().then((Part) => ({ default: Part }))
  if (typeof window === 'undefined') return lazy(asModule)
  const part = asModule()
  arriving.push(part)
  return lazy(() => part)
}

/**
 * A part after hydration that few records show. `send` sends for it, once, from where the record is drawn: by then it is known whether it is shown, and the
 * readings are still held back.
 */
export function afterHydrationOnNeed<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let part: Promise<{ default: ComponentType<Props> }> | undefined
  const send = () => {
    if (part) return part
    part = withStandIn(load)().then((Part) => ({ default: Part }))
    if (typeof window !== 'undefined') arriving.push(part)
    return part
  }
  return { Part: lazy(send), send }
}

/**
 * Holds the readings of a record back until its parts after hydration are here. A reading that arrives before them makes React throw away what the
 * server drew and draw it again when the script is here. Measured with that script 1.5 s late: without this, the panels of a payout, a paykey and a
 * customer were gone for those 1.5 s; with it they stayed. A layout shift shows none of it (below 0.007 either way): see decision 012.
 */
export function PauseQueriesUntilHydrated({ children }: { children: ReactNode }) {
  const [held, setHeld] = useState(true)
  useEffect(() => {
    let here = true
    // A part whose script does not come has a stand-in; the others go on without it.
    void Promise.allSettled(arriving).then(() => here && startTransition(() => setHeld(false)))
    return () => {
      here = false
    }
  }, [])
  return <IsRestoringProvider value={held}>{children}</IsRestoringProvider>
}
