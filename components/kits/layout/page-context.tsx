'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { HydratingMark } from '@/components/ui/boundary'
import { accountPattern, type PageContext } from '@/lib/client/page-context'
import type { Preferences } from '@/lib/client/preferences'
import { usePreferences } from './preferences-context'

const CurrentPageContext = createContext<PageContext | null>(null)

/**
 * Gives a screen its page context. The shell's layout provides one for the environment; a page wraps its feature in another, of its own
 * URL, whose roles are exact for the account. A layout does not run again on a link, so the scope is always read from the URL here. A page of a record of
 * another account keeps that account, whatever the scope is.
 */
export function PageContextProvider({ context, children }: { context: PageContext; children: ReactNode }) {
  const named = useSearchParams().get('account')
  const scoped = useMemo(() => {
    const scope = named !== null && accountPattern.test(named) ? named : null
    if (scope === context.scope) return context
    if (context.account !== context.scope) return { ...context, scope }
    return { ...context, scope, account: scope, needsAccount: context.needsAccount && scope === null }
  }, [context, named])
  return (
    <CurrentPageContext value={scoped}>
      {children}
      <HydratingMark />
    </CurrentPageContext>
  )
}

/** The page context of the screen it is called in, with the person's preferences. */
export function usePageContext(): PageContext & { preferences: Preferences } {
  const context = useContext(CurrentPageContext)
  const { preferences } = usePreferences()
  if (!context) throw new Error('usePageContext needs a PageContextProvider above it')
  return useMemo(() => ({ ...context, preferences }), [context, preferences])
}
