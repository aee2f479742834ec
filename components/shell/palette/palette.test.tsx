import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import {
  PathnameContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { pageIcons } from '@/components/shell/page-icons'
import type { PageContext } from '@/lib/client/page-context'
import { clearQueries } from '@/lib/client/query/client'
import type { Role } from '@/lib/operations/define'
import { Palette } from './palette'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const account = `acct_${id.replace('018f', '0190')}`
const context: PageContext = {
  environment: 'sandbox',
  environments: ['sandbox'],
  scope: null,
  account: null,
  needsAccount: false,
  isLimited: false,
  denied: null,
  accounts: [{ id: account, name: 'Acme Payroll', status: 'active' }],
  hasAllAccounts: true,
  accountsError: null,
  person: { id: 'p', name: 'Omar', email: '', roles: [], platformRoles: [], allRoles: [] },
  amountUnit: 'minor',
  integration: 'saas',
  embedded: true,
  sso: null,
}

const payout = {
  id,
  amount: '10000',
  currency: 'USD',
  status: 'on_hold',
  customer_details: { id, name: 'Ron Stone' },
}
const buildFoundResponse = (data: unknown, total?: number) => ({
  status: 200,
  body: { meta: { request_id: 'r', total_items: total }, data },
})
const notFoundResponse = { status: 404, body: { error: { code: 'service_not_found' } } }
const requestedUrls: string[] = []
const searchedTexts: string[] = []
const busyResponse = {
  status: 503,
  body: { error: { code: 'service_busy', detail: 'try again in 3 s' } },
}

// Raises the timeout of `findBy…` and `waitFor`, because a search sends nine parallel requests,
// which are slow on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

let responseByResource: Record<string, { status: number; body: unknown }> = {}
let requestedResources: string[] = []
let server: Server
// Starts a server for each test, so that a server does not receive the pending requests of the
// previous test.
beforeEach(async () => {
  const resourceCalls: string[] = []
  requestedResources = resourceCalls
  responseByResource = {
    payments: buildFoundResponse([]),
    find: buildFoundResponse({ traces: [], customers: [], unsearched: [] }),
  }
  requestedUrls.length = 0
  searchedTexts.length = 0
  router.push.mockClear()
  clearQueries()
  server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '', 'http://desk')
    const resource = url.pathname.split('/')[4] ?? 'find'
    resourceCalls.push(resource)
    requestedUrls.push(url.href)
    if (incoming.headers['find-text'])
      searchedTexts.push(decodeURIComponent(String(incoming.headers['find-text'])))
    const { status, body } = responseByResource[resource] ?? notFoundResponse
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterEach(() => {
  cleanup()
  server.close()
})

const router = {
  push: vi.fn(),
  replace: vi.fn(),
  refresh: vi.fn(),
  back: vi.fn(),
  forward: vi.fn(),
  prefetch: vi.fn(),
  bfcacheId: '',
}

type RenderOptions = { search?: string; needsAccount?: boolean; widen?: boolean; roles?: Role[] }

const toPerson = (roles: Role[]) => ({ ...context.person, roles, allRoles: roles })
const renderPalette = (
  typed: string,
  { search = '', needsAccount = false, widen = true, roles = ['operator'] }: RenderOptions = {},
) => {
  const paletteProps = {
    typed,
    onType: () => {},
    icons: pageIcons,
    searchIcon: null,
    platformAllowed: widen,
    onDone: () => {},
    onKeys: () => {},
  }
  return render(
    <AppRouterContext value={router}>
      <PathnameContext value="/sandbox/payouts">
        <SearchParamsContext value={new URLSearchParams(search)}>
          <PageContextProvider context={{ ...context, needsAccount, person: toPerson(roles) }}>
            <Palette {...paletteProps} ahead={false} />
          </PageContextProvider>
        </SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>,
  )
}
const listOptions = () => screen.getAllByRole('option')
const findOption = (name: RegExp) => screen.findByRole('option', { name })
const listVisitedPaths = () => router.push.mock.calls.map(([path]) => path)

test('an ID has one result, and Enter opens it in the same scope', async () => {
  responseByResource = {
    ...responseByResource,
    payments: buildFoundResponse([{ ...payout, payment_type: 'payout' }]),
  }
  renderPalette(id, { search: `account=${account}` })
  await screen.findByText(
    /Searched payments, customers, paykeys, accounts, .* in Acme Payroll, sandbox/,
  )
  expect(listOptions()).toHaveLength(1)
  expect(listOptions()[0]?.textContent).toContain('$100.00 to Ron Stone')
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  expect(listVisitedPaths()).toEqual([`/sandbox/payouts/${id}?account=${account}`])
})

test('Ctrl+Enter opens the result in another tab and leaves this tab unchanged', async () => {
  const openSpy = vi.spyOn(window, 'open').mockReturnValue(null)
  responseByResource = {
    ...responseByResource,
    customers: buildFoundResponse({ id, name: 'Ron Stone', status: 'verified' }),
  }
  renderPalette(id)
  await screen.findByText(/^Searched payments/)
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter', ctrlKey: true })
  expect(openSpy.mock.calls).toEqual([[`/sandbox/customers/${id}`, '_blank', 'noopener']])
  expect(listVisitedPaths()).toEqual([])
  openSpy.mockRestore()
})

test('an exact name match comes first', async () => {
  const otherId = id.replace(/^.{4}/, 'ffff')
  responseByResource = {
    ...responseByResource,
    customers: buildFoundResponse([
      { id: otherId, name: 'Ron Stone Yilmaz', status: 'verified' },
      { id, name: 'Ron Stone', status: 'verified' },
    ]),
  }
  renderPalette('ron stone')
  await findOption(/Ron Stone Yilmaz/)
  expect(listOptions()[0]?.textContent).toMatch(/^Ron Stone(?! Yilmaz)/)
})

test('an account ID searches accounts only, even without a scope', async () => {
  responseByResource = {
    accounts: buildFoundResponse({ id, status: 'active', business_profile: { name: 'Acme' } }),
  }
  renderPalette(`acct_${id}`, { needsAccount: true })
  expect((await findOption(/^Acme Account/)).textContent).toContain('Active')
  expect(requestedResources).toEqual(['accounts'])
})

test('an email address is sent in a header and appears in no URL', async () => {
  responseByResource = {
    ...responseByResource,
    find: buildFoundResponse({
      traces: [],
      customers: [{ id, name: 'Ron Stone', status: 'verified' }],
      unsearched: [],
    }),
  }
  renderPalette('ron@stone.example')
  await findOption(/Ron Stone/)
  expect(requestedResources).toEqual(['find'])
  expect(requestedUrls.join(' ')).not.toContain('stone.example')
  expect(searchedTexts).toEqual(['ron@stone.example'])
})

test('an idempotency key finds its object, with the operation and its state', async () => {
  const trace = {
    kind: 'action',
    id,
    by: 'idempotency key',
    operation: 'payouts.release',
    account,
    target: `payouts/${id}`,
    at: '2026-03-31T14:05:00Z',
    actor: 'Omar',
    state: 'unknown',
    status: null,
  }
  responseByResource = {
    ...responseByResource,
    find: buildFoundResponse({
      traces: [trace],
      customers: [],
      unsearched: [{ what: 'the request log', why: 'Only an admin.' }],
    }),
  }
  renderPalette('pdk_0123456789')
  const releaseOption = await findOption(/Release a payout/)
  expect(releaseOption.textContent).toContain('Action by Omar, found by idempotency key')
  expect(releaseOption.textContent).toContain('Outcome unknown')
  expect(screen.getByText('Could not search the request log: Only an admin.')).toBeTruthy()
  fireEvent.click(releaseOption)
  expect(listVisitedPaths()).toEqual([`/sandbox/payouts/${id}?of=${account}`])
})

test('results beyond the limit have a link to the full list', async () => {
  const rows = Array.from({ length: 5 }, (_, n) => ({
    id: `${id.slice(0, -1)}${n}`,
    label: `BANK *678${n}`,
    status: 'active',
  }))
  responseByResource = { ...responseByResource, paykeys: buildFoundResponse(rows, 12) }
  renderPalette('6789')
  fireEvent.click(await findOption(/All 12 paykeys/))
  expect(listVisitedPaths()).toEqual(['/sandbox/paykeys?search_text=6789'])
})

test('an empty result shows the searched places and offers the wider scope', async () => {
  renderPalette(id, { search: `account=${account}` })
  await screen.findByText('No matching record')
  expect(screen.getByText(/Searched .* in Acme Payroll, sandbox/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Search the whole platform' }))
  expect(listVisitedPaths()).toEqual(['/sandbox/payouts'])
})

test('a failed search is never shown as an empty result', async () => {
  responseByResource = { ...responseByResource, paykeys: busyResponse }
  renderPalette(id)
  await screen.findByText('Not found in the places searched')
  expect(screen.getByText(/Could not search paykeys: try again in 3 s/)).toBeTruthy()
  expect(screen.queryByText(/Searched .*paykeys/)).toBeNull()
})

test('without a scope only platform data is searched, and the unsearched data is listed', async () => {
  renderPalette(id, { needsAccount: true, widen: false })
  await screen.findByText('Not found in the places searched')
  expect(screen.getByText(/Could not search payments: Choose an account first/)).toBeTruthy()
  expect(requestedResources).not.toContain('payments')
  expect(requestedResources).toContain('accounts')
})

test('pages, actions and accounts are found by their words without a service request', async () => {
  renderPalette('pay')
  expect(listOptions().map((option) => option.textContent)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Payouts/),
      expect.stringMatching(/^Create a payout/),
      expect.stringMatching(/^Acme Payroll/),
    ]),
  )
  fireEvent.click(await findOption(/^Acme Payroll/))
  expect(listVisitedPaths()).toEqual([`/sandbox/payouts?account=${account}`])
  expect(requestedResources).toEqual([])
})

test('a forbidden action is listed as unavailable with the reason', async () => {
  renderPalette('create an organization', { roles: ['viewer'] })
  const disabledOption = await findOption(/Create an organization/)
  expect(disabledOption.getAttribute('aria-disabled')).toBe('true')
  expect(disabledOption.textContent).toContain(
    'Only an operator or an admin can create an organization.',
  )
  fireEvent.click(disabledOption)
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  expect(listVisitedPaths()).toEqual([])
})

test('pages that refuse the person are not offered', async () => {
  renderPalette('audit')
  expect(screen.queryByRole('option', { name: /^Audit/ })).toBeNull()
})
