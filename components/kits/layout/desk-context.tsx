'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { accountPattern, type Desk } from '@/lib/client/desk'
import type { Preferences } from '@/lib/client/preferences'
import { usePreferences } from './preferences-context'

const DeskContext = createContext<Desk | null>(null)

/**
 * Gives a screen its desk. The shell's layout provides one for the environment; a page wraps its feature in another with the desk of its own
 * URL, whose roles are exact for the account. A layout does not run again on a link, so the account is always read from the URL here.
 */
export function DeskProvider({ desk, children }: { desk: Desk; children: ReactNode }) {
  const named = useSearchParams().get('account')
  const scoped = useMemo(() => {
    const account = named !== null && accountPattern.test(named) ? named : null
    if (account === desk.account) return desk
    return { ...desk, account, needsAccount: desk.needsAccount && account === null }
  }, [desk, named])
  return <DeskContext value={scoped}>{children}</DeskContext>
}

/** The desk of the screen it is called in, with the person's preferences. */
export function useDesk(): Desk & { preferences: Preferences } {
  const desk = useContext(DeskContext)
  const { preferences } = usePreferences()
  if (!desk) throw new Error('useDesk needs a DeskProvider above it')
  return useMemo(() => ({ ...desk, preferences }), [desk, preferences])
}
