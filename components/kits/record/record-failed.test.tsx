import { cleanup, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import {
  PathnameContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, expect, test, vi } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import type { PageContext } from '@/lib/client/page-context'
import { AppError } from '@/lib/errors'
import { RecordReadFailedNotice } from './record-failed'

afterEach(cleanup)

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const account = `acct_${id}`
const pageContext = {
  environment: 'sandbox',
  account,
  accounts: [{ id: account, name: 'Acme Payroll', status: 'active' }],
  accountsError: null,
  scope: account,
  person: {
    ...{ id: 'p', name: 'Omar', email: 'omar@paydesk.test' },
    ...{ roles: ['operator'], platformRoles: ['operator'], allRoles: ['operator'] },
  },
} as unknown as PageContext

const router = {
  push: vi.fn(),
  replace: vi.fn(),
  refresh: vi.fn(),
  back: vi.fn(),
  forward: vi.fn(),
  prefetch: vi.fn(),
  bfcacheId: '',
}

test.each([
  {
    nouns: { resource: 'charges', one: 'charge', many: 'charges' } as const,
    platformPath: `/sandbox/charges/${id}`,
    list: '/sandbox/charges',
  },
  {
    nouns: { resource: 'payments', one: 'payment', many: 'payments' } as const,
    platformPath: `/sandbox/payments?open=${id}`,
    list: '/sandbox/payments',
  },
])(
  'links of a $nouns.one that was not found lead to the whole platform and to its list',
  ({ nouns, platformPath, list }) => {
    render(
      <AppRouterContext value={router}>
        <PathnameContext value="/sandbox/payments">
          <SearchParamsContext value={new URLSearchParams({ account })}>
            <PageContextProvider context={pageContext}>
              <RecordReadFailedNotice
                nouns={nouns}
                id={id}
                error={new AppError('not_found').toWire()}
                requestId="r"
                onAgain={() => {}}
              />
            </PageContextProvider>
          </SearchParamsContext>
        </PathnameContext>
      </AppRouterContext>,
    )
    expect(
      screen.getByRole('link', { name: 'Search the whole platform' }).getAttribute('href'),
    ).toBe(platformPath)
    expect(
      screen
        .getByRole('link', { name: `All ${nouns.many}` })
        .getAttribute('href')
        ?.split('?')[0],
    ).toBe(list)
  },
)
