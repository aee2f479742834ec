import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PageContext } from '@/lib/client/page-context'
import { clearQueries } from '@/lib/client/query/client'
import { operationQuery } from '@/lib/client/query/reads'
import { useOperation } from '@/lib/client/query/writes'
import { PageContextProvider, usePageContext } from './page-context'

const payoutId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const account = `acct_${payoutId}`
const reason = 'AUTH_PROOF_OK: proof was read and fits'
const context: PageContext = {
  environment: 'sandbox',
  environments: ['sandbox'],
  scope: null,
  account: null,
  isLimited: false,
  needsAccount: true,
  denied: null,
  accounts: [],
  hasAllAccounts: true,
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

let sentRequests: { line: string; key: string | undefined }[] = []
let shouldCutWrites = false
let server: Server
beforeAll(async () => {
  server = createServer((incoming, response) => {
    sentRequests.push({
      line: `${incoming.method} ${incoming.url}`,
      key: incoming.headers['idempotency-key']?.toString(),
    })
    if (incoming.method === 'PUT' && shouldCutWrites) return response.destroy()
    const payoutStatus = sentRequests.some(({ line }) => line.startsWith('PUT'))
      ? 'scheduled'
      : 'on_hold'
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(
        JSON.stringify({ meta: { request_id: 'r' }, data: { id: payoutId, status: payoutStatus } }),
      )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())
beforeEach(() => {
  sentRequests = []
  shouldCutWrites = false
  clearQueries()
})
afterEach(cleanup)

function ReleaseButton() {
  const pageContext = usePageContext()
  const payoutQuery = useQuery(operationQuery(pageContext, 'payouts.get', { id: payoutId }))
  const releaseMutation = useOperation<'payouts.release'>(pageContext)
  return (
    <>
      <p>{payoutQuery.data?.data.status}</p>
      <p role="alert">{releaseMutation.error?.code}</p>
      <button
        type="button"
        onClick={() =>
          releaseMutation.mutate({
            operation: 'payouts.release',
            input: { id: payoutId, reason },
            idempotencyKey: 'pdk_1',
            correlationId: 'c1',
          })
        }
      >
        Release
      </button>
    </>
  )
}

function ScopeText() {
  const { account: scope, needsAccount } = usePageContext()
  return <p>{`${scope} ${needsAccount}`}</p>
}

const renderPage = (search: string) =>
  render(
    <SearchParamsContext value={new URLSearchParams(search)}>
      <PageContextProvider context={context}>
        <ReleaseButton />
      </PageContextProvider>
    </SearchParamsContext>,
  )

test('reads and writes use the account from the URL as their scope', async () => {
  renderPage(`account=${account}`)
  await screen.findByText('on_hold')
  fireEvent.click(screen.getByRole('button'))
  await screen.findByText('scheduled')
  expect(sentRequests.map(({ line }) => line)).toEqual([
    `GET /api/sandbox/v1/payouts/${payoutId}?account=${account}`,
    `PUT /api/sandbox/v1/payouts/${payoutId}/release?account=${account}`,
    `GET /api/sandbox/v1/payouts/${payoutId}?account=${account}`,
  ])
  expect(sentRequests[1]?.key).toBe('pdk_1')
})

test('a lost response is unknown and never resent, and the object is read again', async () => {
  renderPage(`account=${account}`)
  await screen.findByText('on_hold')
  shouldCutWrites = true
  fireEvent.click(screen.getByRole('button'))
  await screen.findByText('outcome_unknown')
  await screen.findByText('scheduled')
  expect(sentRequests.filter(({ line }) => line.startsWith('PUT'))).toHaveLength(1)
})

test.each(['', 'account=acct_nonsense', 'account=acct_%2e%2e%2f'])(
  '%j contains no account',
  (search) => {
    render(
      <SearchParamsContext value={new URLSearchParams(search)}>
        <PageContextProvider context={context}>
          <ScopeText />
        </PageContextProvider>
      </SearchParamsContext>,
    )
    expect(screen.getByText('null true')).toBeTruthy()
  },
)
