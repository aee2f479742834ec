'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { accountPattern, type PageContext } from '@/lib/client/page-context'
import type { Preferences } from '@/lib/client/preferences'
import { QueryProvider } from '@/lib/client/query/provider'
import { usePreferences } from './preferences-context'

const CurrentPageContext = createContext<PageContext | null>(null)

const AddAccountsContext = createContext<((accounts: PageContext['accounts']) => void) | null>(null)

/**
 * Provides the page context. The shell's layout provides one for the environment; each page adds one for its URL, whose roles are exact for
 * the account. The scope is read from the URL here, because a layout does not rerender on navigation. A record of another account keeps
 * that account in any scope. The page passes its account names up to the shell, which otherwise only has those of the first page. A
 * provider within a page passes none: its names come from the page, so passing them up would render without end.
 */
export function PageContextProvider({ context, children }: { context: PageContext; children: ReactNode }) {
  const accountParam = useSearchParams().get('account')
  useReloadForOtherPerson(useContext(CurrentPageContext)?.person.id, context.person.id)
  const addAccountsToShell = useContext(AddAccountsContext)
  const [pageAccounts, setPageAccounts] = useState<PageContext['accounts']>([])
  const { hasAllAccounts, accounts } = context
  useEffect(() => {
    if (!hasAllAccounts) addAccountsToShell?.(accounts)
  }, [addAccountsToShell, hasAllAccounts, accounts])
  const scopedContext = useMemo(() => {
    const scope = accountParam !== null && accountPattern.test(accountParam) ? accountParam : null
    const namedContext = pageAccounts.length === 0 ? context : { ...context, accounts: [...context.accounts, ...pageAccounts] }
    if (scope === context.scope) return namedContext
    if (context.account !== context.scope) return { ...namedContext, scope }
    return { ...namedContext, scope, account: scope, needsAccount: context.needsAccount && scope === null }
  }, [context, accountParam, pageAccounts])
  return (
    <QueryProvider person={context.person.id}>
      <CurrentPageContext value={scopedContext}>
        <AddAccountsContext value={addAccountsToShell ? null : setPageAccounts}>{children}</AddAccountsContext>
      </CurrentPageContext>
    </QueryProvider>
  )
}

/** Reloads if the shell and its page were rendered for different people, because another person has signed in since. */
function useReloadForOtherPerson(inFrame: string | undefined, onPage: string): void {
  const isOtherPerson = inFrame !== undefined && inFrame !== onPage
  useEffect(() => {
    if (isOtherPerson) location.reload()
  }, [isOtherPerson])
}

/** Returns the page context with the person's preferences. Throws outside of a `PageContextProvider`. */
export function usePageContext(): PageContext & { preferences: Preferences } {
  const context = useContext(CurrentPageContext)
  const { preferences } = usePreferences()
  if (!context) throw new Error('usePageContext needs a PageContextProvider above it')
  return useMemo(() => ({ ...context, preferences }), [context, preferences])
}
