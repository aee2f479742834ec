import { cleanup, render, screen } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import type { PageContext } from '@/lib/client/page-context'
import { defaultPreferences } from '@/lib/client/preferences'
import { PageContextProvider, usePageContext } from './page-context'
import { PreferencesProvider } from './preferences-context'

afterEach(cleanup)

const context: PageContext = {
  environment: 'sandbox',
  environments: ['sandbox'],
  scope: null,
  account: null,
  needsAccount: false,
  isLimited: false,
  denied: null,
  accounts: [],
  hasAllAccounts: false,
  accountsError: null,
  person: {
    ...{ id: 'p', name: 'Omar', email: 'omar@paydesk.test' },
    ...{ roles: ['operator'], platformRoles: ['operator'], allRoles: ['operator'] },
  },
  amountUnit: 'minor',
  integration: 'saas',
  embedded: true,
  sso: null,
}
const harbourAccount = { id: 'acct_1', name: 'Harbour', status: 'active' }

function AccountNames({ of }: { of: string }) {
  return (
    <ul aria-label={of}>
      {usePageContext().accounts.map(({ name }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name that is there twice is what the test looks for.
        <li key={at}>{name}</li>
      ))}
    </ul>
  )
}
const readAccountNames = (listLabel: string) =>
  [...screen.getByRole('list', { name: listLabel }).children].map(({ textContent }) => textContent)

test('a page passes its account names to the frame, and a nested context passes none', () => {
  let renderCount = 0
  /**
   * A provider inside a page, with another account. A queue renders one like it to prefetch the
   * next record.
   */
  function NextRecordProvider({ children }: { children: ReactNode }) {
    const pageContext = usePageContext()
    renderCount += 1
    if (renderCount > 20) throw new Error('the contexts render without end')
    return (
      <PageContextProvider context={{ ...pageContext, account: 'acct_2' }}>
        {children}
      </PageContextProvider>
    )
  }
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <PreferencesProvider initial={defaultPreferences} renderedAt="2026-03-31T12:00:00Z">
        <PageContextProvider context={context}>
          <AccountNames of="frame" />
          <PageContextProvider context={{ ...context, accounts: [harbourAccount] }}>
            <NextRecordProvider>
              <AccountNames of="ahead" />
            </NextRecordProvider>
          </PageContextProvider>
        </PageContextProvider>
      </PreferencesProvider>
    </SearchParamsContext>,
  )
  expect(readAccountNames('frame')).toEqual(['Harbour'])
  expect(readAccountNames('ahead')).toEqual(['Harbour'])
})

test('without an account in the URL, a person with one account stays in it', () => {
  const ShownAccount = () => <p>{usePageContext().account}</p>
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <PreferencesProvider initial={defaultPreferences} renderedAt="2026-03-31T12:00:00Z">
        <PageContextProvider context={{ ...context, isLimited: true, account: 'acct_1' }}>
          <ShownAccount />
        </PageContextProvider>
      </PreferencesProvider>
    </SearchParamsContext>,
  )
  expect(screen.getByText('acct_1')).toBeTruthy()
})
