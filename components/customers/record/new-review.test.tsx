import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import {
  PathnameContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import type { PageContext } from '@/lib/client/page-context'
import { clearQueries } from '@/lib/client/query/client'
import { type RequestedReview, ReverificationStatus } from './new-review'

const customerId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const context = {
  environment: 'sandbox',
  scope: null,
  account: null,
  accounts: [],
  accountsError: null,
  person: {
    ...{ id: 'p', name: 'Omar', email: 'omar@paydesk.test' },
    ...{ roles: ['operator'], platformRoles: ['operator'], allRoles: ['operator'] },
  },
} as unknown as PageContext

let server: Server
let readCount = 0

beforeEach(async () => {
  readCount = 0
  clearQueries()
  server = createServer((_, response) => {
    readCount += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        meta: { request_id: 'r' },
        data: { identity_details: { review_id: 'earlier', decision: 'accept' } },
      }),
    )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterEach(() => {
  cleanup()
  server.close()
})

function renderNewReview(reviewId: RequestedReview['reviewId']) {
  const onArrived = vi.fn()
  render(
    <PathnameContext value={`/sandbox/customers/${customerId}`}>
      <SearchParamsContext value={new URLSearchParams()}>
        <PageContextProvider context={context}>
          <ReverificationStatus
            id={customerId}
            asked={{ at: Date.now(), reviewId }}
            onArrived={onArrived}
          />
        </PageContextProvider>
      </SearchParamsContext>
    </PathnameContext>,
  )
  return onArrived
}

test.each([
  ['the same review as before', 'earlier'],
  ['the first review that is read after an unread one', undefined],
])('%s is not the result of the re-verification', async (_, reviewId) => {
  const onArrived = renderNewReview(reviewId)
  await waitFor(() => expect(readCount).toBeGreaterThan(0))
  await screen.findByText(/is running/)
  expect(onArrived).not.toHaveBeenCalled()
})

test.each([
  ['another id', 'older'],
  ['a first review', null],
])('%s is the result of the re-verification', async (_, reviewId) => {
  const onArrived = renderNewReview(reviewId)
  await screen.findByText(/is complete/)
  expect(onArrived).toHaveBeenCalledOnce()
})
