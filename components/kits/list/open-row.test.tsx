import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { useRouter } from 'next/navigation'
import {
  type ComponentProps,
  Profiler,
  type ReactNode,
  startTransition,
  use,
  useState,
} from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { cancelNavigation } from '@/lib/client/navigation'
import type { PageContext } from '@/lib/client/page-context'
import { ListFrame, RefreshListButton, useListNavigation } from './frame'
import { OpenRowProvider, useOpenRowState } from './open-row'

type AppRouter = NonNullable<ComponentProps<typeof AppRouterContext>['value']>

const listUrl = '/sandbox/payouts?tab=all'
const openRowUrl = `${listUrl}&open=one`

/** The requests to the router, oldest first. */
let routerRequests: { what: string; answer: () => void }[] = []
let onRender: () => unknown = () => {}

const readUrlParams = () => new URLSearchParams(location.search)

/**
 * A router that responds when the test calls `answer`. Until then the page keeps its search
 * parameters, as in Next.
 */
function TestRouter({ children }: { children: ReactNode }) {
  const [given, setGiven] = useState<URLSearchParams | Promise<URLSearchParams>>(readUrlParams)
  const [router] = useState(() => {
    const queueRouterRequest = (requestText: string) =>
      startTransition(() =>
        setGiven(
          new Promise((resolve) => {
            routerRequests.push({ what: requestText, answer: () => resolve(readUrlParams()) })
          }),
        ),
      )
    const navigateTo = (href: string) => {
      globalThis.__navigatingFrom = location.href
      queueRouterRequest(`push ${href}`)
    }
    return {
      refresh: () => queueRouterRequest('refresh'),
      replace: (href: string) => queueRouterRequest(`replace ${href}`),
      push: navigateTo,
    } as AppRouter
  })
  return (
    <AppRouterContext value={router}>
      <SearchParamsContext value={given instanceof Promise ? use(given) : given}>
        <Profiler id="list" onRender={() => onRender()}>
          {children}
        </Profiler>
      </SearchParamsContext>
    </AppRouterContext>
  )
}

function OpenRowText() {
  const { open, show, close } = useOpenRowState()
  const { go, refreshAfterAction } = useListNavigation()
  const router = useRouter()
  return (
    <>
      <output>{open ?? 'none'}</output>
      <button type="button" onClick={() => show('one', '/one')}>
        Open
      </button>
      <button type="button" onClick={close}>
        Close
      </button>
      <button type="button" onClick={() => go('/sandbox/payouts?tab=held')}>
        Tab
      </button>
      <button type="button" onClick={() => router.push('/sandbox')}>
        Home
      </button>
      <button type="button" onClick={refreshAfterAction}>
        Decide
      </button>
    </>
  )
}

const pageContext = {
  environment: 'sandbox',
  account: null,
  scope: null,
  accounts: [],
  hasAllAccounts: true,
  person: { id: 'p' },
}

async function renderListAt(url: string) {
  history.replaceState(null, '', url)
  render(
    <TestRouter>
      <PageContextProvider context={pageContext as unknown as PageContext}>
        <ListFrame>
          <RefreshListButton />
          <OpenRowProvider first={null} beside>
            <OpenRowText />
          </OpenRowProvider>
        </ListFrame>
      </PageContextProvider>
    </TestRouter>,
  )
}

const pressButton = (name: string) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })))
const readShownRow = () => screen.getByRole('status').textContent
const readUrl = () => `${location.pathname}${location.search}`
const readRequestNames = () => routerRequests.map(({ what }) => what)
const answerLastRequest = () => act(async () => routerRequests.at(-1)?.answer())

/** Goes back to the list as a browser does: first the URL changes, then `popstate` fires. */
function goBack() {
  history.replaceState(null, '', listUrl)
  window.dispatchEvent(new PopStateEvent('popstate'))
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  routerRequests = []
  onRender = () => {}
  cancelNavigation()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a row opened during a refresh is in the URL at once, and Back closes it permanently', async () => {
  await renderListAt(listUrl)
  await pressButton('Refresh')
  await pressButton('Open')
  expect([readRequestNames(), readShownRow(), readUrl()]).toEqual([['refresh'], 'one', openRowUrl])
  await act(async () => goBack())
  expect([readShownRow(), readUrl()]).toEqual(['none', listUrl])
  await answerLastRequest()
  expect([readShownRow(), readUrl()]).toEqual(['none', listUrl])
})

test.each([
  ['before', listUrl],
  ['after', openRowUrl],
])(
  'Back overrides the effect that adds the row to the URL, %s the URL contains it',
  async (_, current) => {
    await renderListAt(listUrl)
    await pressButton('Tab')
    await pressButton('Open')
    expect([readShownRow(), readUrl()]).toEqual(['one', listUrl])
    // Without `act`, React runs effects as late as in a browser.
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
    let hasGoneBack = false
    const goBackOnce = () => {
      if (!hasGoneBack) goBack()
      hasGoneBack = true
    }
    // Goes back after the commit of the render and before its effects run.
    onRender = () => readUrl() === current && queueMicrotask(goBackOnce)
    // Responds with the old URL, as if the other tab could not be loaded.
    routerRequests.at(-1)?.answer()
    await vi.waitFor(() => expect(hasGoneBack || readUrl() === openRowUrl).toBe(true))
    goBackOnce()
    await vi.waitFor(() => expect(readShownRow()).toBe('none'))
    expect(readUrl()).toBe(listUrl)
  },
)

test.each([
  ['closed', () => pressButton('Close')],
  ['closed by Back', () => act(async () => goBack())],
])(
  'a refresh restarts if the row is %s during it, because Next drops it then',
  async (_, close) => {
    await renderListAt(openRowUrl)
    await pressButton('Decide')
    await close()
    await answerLastRequest()
    expect(readRequestNames()).toEqual([`replace ${openRowUrl}`, 'refresh'])
    await answerLastRequest()
    expect(readRequestNames()).toHaveLength(2)
  },
)

test('an action that ends during a navigation does not cancel the navigation', async () => {
  await renderListAt(openRowUrl)
  await pressButton('Home')
  await pressButton('Decide')
  expect(readRequestNames()).toEqual(['push /sandbox'])
})

test('offline, a list refresh sends no request and does not block the list', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await renderListAt(listUrl)
  await pressButton('Refresh')
  await pressButton('Decide')
  expect(readRequestNames()).toEqual([])
  await pressButton('Tab')
  expect(readRequestNames()).toEqual(['push /sandbox/payouts?tab=held'])
})
