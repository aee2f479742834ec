'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { accountPattern, type PageContext } from '@/lib/client/page-context'
import type { Preferences } from '@/lib/client/preferences'
import { QueryProvider } from '@/lib/client/query/provider'
import { usePreferences } from './preferences-context'

const CurrentPageContext = createContext<PageContext | null>(null)

const NamesAbove = createContext<((accounts: PageContext['accounts']) => void) | null>(null)

/**
 * Gives a screen its page context. The shell's layout provides one for the environment; a page wraps its feature in another, of its own
 * URL, whose roles are exact for the account. A layout does not run again on a link, so the scope is always read from the URL here. A page of a record of
 * another account keeps that account, whatever the scope is. What accounts are called the page tells the frame, which named those of the first page only.
 */
export function PageContextProvider({ context, children }: { context: PageContext; children: ReactNode }) {
  const named = useSearchParams().get('account')
  useReloadForOther(useContext(CurrentPageContext)?.person.id, context.person.id)
  const above = useContext(NamesAbove)
  const [told, tell] = useState<PageContext['accounts']>([])
  const { hasAllAccounts, accounts } = context
  useEffect(() => {
    if (!hasAllAccounts) above?.(accounts)
  }, [above, hasAllAccounts, accounts])
  const scoped = useMemo(() => {
    const scope = named !== null && accountPattern.test(named) ? named : null
    const known = told.length === 0 ? context : { ...context, accounts: [...context.accounts, ...told] }
    if (scope === context.scope) return known
    if (context.account !== context.scope) return { ...known, scope }
    return { ...known, scope, account: scope, needsAccount: context.needsAccount && scope === null }
  }, [context, named, told])
  return (
    <QueryProvider person={context.person.id}>
      <CurrentPageContext value={scoped}>
        <NamesAbove value={tell}>{children}</NamesAbove>
      </CurrentPageContext>
    </QueryProvider>
  )
}

/** Reloads the browser page if the frame and the page in it were rendered for different people: another person has signed in since. */
function useReloadForOther(inFrame: string | undefined, onPage: string): void {
  const isOther = inFrame !== undefined && inFrame !== onPage
  useEffect(() => {
    if (isOther) location.reload()
  }, [isOther])
}

/** The page context of the screen it is called in, with the person's preferences. */
export function usePageContext(): PageContext & { preferences: Preferences } {
  const context = useContext(CurrentPageContext)
  const { preferences } = usePreferences()
  if (!context) throw new Error('usePageContext needs a PageContextProvider above it')
  return useMemo(() => ({ ...context, preferences }), [context, preferences])
}
