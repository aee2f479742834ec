'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { accountIdPattern, type PageContext } from '@/lib/client/page-context'
import type { Preferences } from '@/lib/client/preferences'
import { QueryProvider } from '@/lib/client/query/provider'
import { usePreferences } from './preferences-context'

const CurrentPageContext = createContext<PageContext | null>(null)

const AddAccountsContext = createContext<((accounts: PageContext['accounts']) => void) | null>(null)

/**
 * Provides the page context. The shell's layout renders one provider for the environment. Each page
 * renders another one inside it, with the person's exact roles for the page's account.
 * - The scope is read from the URL here, because a layout does not rerender on navigation. The page
 *   of a record in another account keeps the record's account in any scope.
 * - A page adds its account names to the shell's, because the layout has only those of the first
 *   page. A provider inside a page adds none: its names come from the page, and adding them again
 *   would render without end.
 */
export function PageContextProvider({
  context,
  children,
}: {
  context: PageContext
  children: ReactNode
}) {
  const accountParam = useSearchParams().get('account')
  useReloadForOtherPerson(useContext(CurrentPageContext)?.person.id, context.person.id)
  const addAccountsToShell = useContext(AddAccountsContext)
  const [pageAccounts, setPageAccounts] = useState<PageContext['accounts']>([])
  const { hasAllAccounts, accounts } = context
  useEffect(() => {
    if (!hasAllAccounts) addAccountsToShell?.(accounts)
  }, [addAccountsToShell, hasAllAccounts, accounts])
  const scopedContext = useMemo(() => {
    const accountFromUrl =
      accountParam !== null && accountIdPattern.test(accountParam) ? accountParam : null
    const contextWithPageAccounts =
      pageAccounts.length === 0
        ? context
        : { ...context, accounts: [...context.accounts, ...pageAccounts] }
    if (accountFromUrl === context.scope) return contextWithPageAccounts
    if (context.account !== context.scope)
      return { ...contextWithPageAccounts, scope: accountFromUrl }
    return {
      ...contextWithPageAccounts,
      scope: accountFromUrl,
      account: accountFromUrl,
      needsAccount: context.needsAccount && accountFromUrl === null,
    }
  }, [context, accountParam, pageAccounts])
  return (
    <QueryProvider person={context.person.id}>
      <CurrentPageContext value={scopedContext}>
        <AddAccountsContext value={addAccountsToShell ? null : setPageAccounts}>
          {children}
        </AddAccountsContext>
      </CurrentPageContext>
    </QueryProvider>
  )
}

/** Reloads the page if another person has signed in since the shell was rendered. */
function useReloadForOtherPerson(shellPersonId: string | undefined, pagePersonId: string): void {
  const isOtherPerson = shellPersonId !== undefined && shellPersonId !== pagePersonId
  useEffect(() => {
    if (isOtherPerson) location.reload()
  }, [isOtherPerson])
}

/** Throws outside of a `PageContextProvider`. */
export function usePageContext(): PageContext & { preferences: Preferences } {
  const context = useContext(CurrentPageContext)
  const { preferences } = usePreferences()
  if (!context) throw new Error('usePageContext needs a PageContextProvider above it')
  return useMemo(() => ({ ...context, preferences }), [context, preferences])
}
