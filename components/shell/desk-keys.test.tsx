import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import {
  PathnameContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import type { PageContext } from '@/lib/client/page-context'
import { defaultPreferences } from '@/lib/client/preferences'
import { pages } from '@/lib/pages'
import { GoToShortcutListener } from './desk-keys'

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
  person: {
    ...{ id: 'p', name: 'Omar', email: 'omar@paydesk.test' },
    ...{ roles: ['admin'], platformRoles: ['admin'], allRoles: ['admin'] },
  },
  amountUnit: 'minor',
  integration: 'saas',
  embedded: true,
  sso: null,
}
const router = {
  push: vi.fn(),
  replace: vi.fn(),
  refresh: vi.fn(),
  back: vi.fn(),
  forward: vi.fn(),
  prefetch: vi.fn(),
  bfcacheId: '',
}
const pageShortcutSpy = vi.fn()

function Page() {
  useShortcut('p', pageShortcutSpy)
  return <input aria-label="Note" />
}

const renderPage = ({ shortcuts = true, search = '', person = context.person } = {}) =>
  render(
    <AppRouterContext value={router}>
      <PathnameContext value="/sandbox/payouts">
        <SearchParamsContext value={new URLSearchParams(search)}>
          <PreferencesProvider
            initial={{ ...defaultPreferences, shortcuts }}
            renderedAt="2026-03-31T12:00:00Z"
          >
            <PageContextProvider context={{ ...context, person }}>
              <Page />
              <GoToShortcutListener />
            </PageContextProvider>
          </PreferencesProvider>
        </SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>,
  )

const pressKey = (key: string, eventInit: object = {}) =>
  fireEvent.keyDown(document.body, { key, ...eventInit })
const listVisitedPaths = () => router.push.mock.calls.map(([path]) => path)

beforeEach(() => {
  router.push.mockClear()
  pageShortcutSpy.mockClear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test.each(pages)('g $key opens $name in the same scope', ({ key, path }) => {
  renderPage({ search: `account=${account}` })
  pressKey('g')
  pressKey(key)
  expect(listVisitedPaths()).toEqual([`/sandbox${path}?account=${account}`])
})

test('g offers and opens no page that refuses the person', async () => {
  renderPage({ person: { ...context.person, platformRoles: [] } })
  pressKey('g')
  await screen.findByText('Linked bank accounts')
  expect(screen.getByText('Audit')).toBeTruthy()
  for (const name of ['Webhooks', 'People', 'Approval policy', 'Settings'])
    expect(screen.queryByText(name)).toBeNull()
  pressKey('s')
  expect(listVisitedPaths()).toEqual([])
})

test('a hint is shown while g waits for the second key, and the page does not receive that key', async () => {
  renderPage()
  pressKey('g')
  expect(screen.getByRole('status').contains(await screen.findByText('Linked bank accounts'))).toBe(
    true,
  )
  pressKey('p')
  expect(pageShortcutSpy).not.toHaveBeenCalled()
  expect(screen.getByRole('status').textContent).toBe('')
  pressKey('p')
  expect(pageShortcutSpy).toHaveBeenCalledTimes(1)
})

test.each(['Escape', 'z', 'P'])('%s after g does not navigate and ends the wait', (key) => {
  renderPage()
  pressKey('g')
  pressKey(key)
  pressKey('c')
  expect(listVisitedPaths()).toEqual([])
})

test('a timeout or a mouse press ends the wait', () => {
  vi.useFakeTimers()
  renderPage()
  pressKey('g')
  act(() => vi.runAllTimers())
  pressKey('c')
  pressKey('g')
  fireEvent.pointerDown(document.body)
  pressKey('c')
  expect(listVisitedPaths()).toEqual([])
})

test('g does nothing while typing or with a modifier key', () => {
  renderPage()
  fireEvent.keyDown(screen.getByLabelText('Note'), { key: 'g' })
  pressKey('c')
  pressKey('g', { ctrlKey: true })
  pressKey('c')
  pressKey('g')
  pressKey('c', { metaKey: true })
  expect(listVisitedPaths()).toEqual([])
})

test('g does nothing if single-key shortcuts are off', () => {
  renderPage({ shortcuts: false })
  pressKey('g')
  pressKey('c')
  expect(listVisitedPaths()).toEqual([])
  expect(screen.getByRole('status').textContent).toBe('')
})

test('g does nothing under an open dialog', () => {
  renderPage()
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('open', '')
  pressKey('g')
  pressKey('c')
  dialog.remove()
  expect(listVisitedPaths()).toEqual([])
})
