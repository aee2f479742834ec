import { cleanup, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, expect, test } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import type { PageContext } from '@/lib/client/page-context'
import type { AuditRow } from '@/lib/operations/audit'
import { AuditTable } from './table'

afterEach(cleanup)

const context = {
  ...{ environment: 'sandbox', scope: null, account: null, accounts: [] },
  person: { id: 'p', name: 'Dana', email: 'dana@paydesk.test', roles: ['admin'] },
}

const row: AuditRow = {
  ...{ seq: 7, at: '2026-11-29T12:00:00.000Z', code: 'people.list.denied', outcome: 'denied' },
  ...{ what: 'List people: denied', actor: null, account: null, target: null, action: null },
  ...{ request_id: null, repeated: null },
}

test.each([
  [1, 'and 1 more time'],
  [2, 'and 2 more times'],
  [1200, 'and 1,200 more times'],
])('a refusal that was repeated %d times says “%s”', (repeated, text) => {
  render(
    <AppRouterContext value={{} as never}>
      <SearchParamsContext value={new URLSearchParams()}>
        <PageContextProvider context={context as unknown as PageContext}>
          <AuditTable rows={[{ ...row, repeated }]} />
        </PageContextProvider>
      </SearchParamsContext>
    </AppRouterContext>,
  )
  expect(screen.getByText(text)).toBeTruthy()
})
