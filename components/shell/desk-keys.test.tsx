import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import type { PageContext } from '@/lib/client/page-context'
import { defaultPreferences } from '@/lib/client/preferences'
import { pages } from '@/lib/pages'
import { GoToKeys } from './desk-keys'

const account = 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const context: PageContext = {
  environment: 'sandbox',
  environments: ['sandbox'],
  scope: null,
  account: null,
  needsAccount: false,
  isLimited: false,
  denied: null,
  accounts: [],
  hasAllAccounts: true,
  accountsError: null,
  person: { id: 'p', name: 'Omar', email: 'omar@paydesk.test', roles: ['operator'] },
  amountUnit: 'minor',
  embedded: true,
  sso: null,
}
const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn(), back: vi.fn(), forward: vi.fn(), prefetch: vi.fn(), bfcacheId: '' }
const onPage = vi.fn()

function Page() {
  useShortcut('p', onPage)
  return <input aria-label="Note" />
}

const draw = ({ shortcuts = true, search = '' } = {}) =>
  render(
    <AppRouterContext value={router}>
      <PathnameContext value="/sandbox/payouts">
        <SearchParamsContext value={new URLSearchParams(search)}>
          <PreferencesProvider initial={{ ...defaultPreferences, shortcuts }} renderedAt="2026-03-31T12:00:00Z">
            <PageContextProvider context={context}>
              <Page />
              <GoToKeys />
            </PageContextProvider>
          </PreferencesProvider>
        </SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>,
  )

const press = (key: string, more: object = {}) => fireEvent.keyDown(document.body, { key, ...more })
const listVisitedPaths = () => router.push.mock.calls.map(([path]) => path)

beforeEach(() => {
  router.push.mockClear()
  onPage.mockClear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test.each(pages)('g $key opens $name in the same scope', ({ key, path }) => {
  draw({ search: `account=${account}` })
  press('g')
  press(key)
  expect(listVisitedPaths()).toEqual([`/sandbox${path}?account=${account}`])
})

test('a hint is shown while g waits for the second key, and the page does not receive that key', async () => {
  draw()
  press('g')
  expect(screen.getByRole('status').contains(await screen.findByText('Linked bank accounts'))).toBe(true)
  press('p')
  expect(onPage).not.toHaveBeenCalled()
  expect(screen.getByRole('status').textContent).toBe('')
  press('p')
  expect(onPage).toHaveBeenCalledTimes(1)
})

test.each(['Escape', 'z', 'P'])('%s after g does not navigate and ends the wait', (key) => {
  draw()
  press('g')
  press(key)
  press('c')
  expect(listVisitedPaths()).toEqual([])
})

test('a timeout or a mouse press ends the wait', () => {
  vi.useFakeTimers()
  draw()
  press('g')
  act(() => vi.runAllTimers())
  press('c')
  press('g')
  fireEvent.pointerDown(document.body)
  press('c')
  expect(listVisitedPaths()).toEqual([])
})

test('g does nothing while typing or with a modifier key', () => {
  draw()
  fireEvent.keyDown(screen.getByLabelText('Note'), { key: 'g' })
  press('c')
  press('g', { ctrlKey: true })
  press('c')
  press('g')
  press('c', { metaKey: true })
  expect(listVisitedPaths()).toEqual([])
})

test('g does nothing if single-key shortcuts are off', () => {
  draw({ shortcuts: false })
  press('g')
  press('c')
  expect(listVisitedPaths()).toEqual([])
  expect(screen.getByRole('status').textContent).toBe('')
})

test('g does nothing under an open dialog', () => {
  draw()
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('open', '')
  press('g')
  press('c')
  dialog.remove()
  expect(listVisitedPaths()).toEqual([])
})
