'use client'

import { IsRestoringProvider } from '@tanstack/react-query'
import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, startTransition, useEffect, useState } from 'react'

const arriving: Promise<unknown>[] = []

/**
 * A part of a record that is drawn on the server and whose script comes a moment after the first ones. It is sent for at once, not when it is
 * first drawn: see `HeldUntilAlive`.
 */
export function later<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  const asModule = () => load().then((Part) => ({ default: Part }))
  if (typeof window === 'undefined') return lazy(asModule)
  const part = asModule()
  arriving.push(part)
  return lazy(() => part)
}

/**
 * Holds the readings of a record back until its later parts are here. A reading that arrives before them would make React throw away what the
 * server drew and draw it again when the script is here: the page would jump twice.
 */
export function HeldUntilAlive({ children }: { children: ReactNode }) {
  const [held, setHeld] = useState(true)
  useEffect(() => {
    let here = true
    // A part that does not arrive is told where it is drawn; the others go on without it.
    void Promise.allSettled(arriving).then(() => here && startTransition(() => setHeld(false)))
    return () => {
      here = false
    }
  }, [])
  return <IsRestoringProvider value={held}>{children}</IsRestoringProvider>
}
