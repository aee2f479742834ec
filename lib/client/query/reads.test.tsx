import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '@/lib/client/call'
import { clearQueries } from './client'
import { QueryProvider } from './provider'
import { recordQuery } from './reads'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'

/**
 * Responses that the test has not sent yet. The key is the part of our API: `v1` reads from the
 * service, `mirror` from our copy of the service's data.
 */
let pendingResponses: Record<string, ServerResponse> = {}
let server: Server
beforeAll(async () => {
  server = createServer((incoming, response) => {
    pendingResponses[incoming.url?.split('/')[3] ?? ''] = response
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())
beforeEach(() => {
  pendingResponses = {}
  clearQueries()
})
afterEach(cleanup)

async function sendResponse(source: 'v1' | 'mirror', status: number, body: object): Promise<void> {
  await expect.poll(() => pendingResponses[source]).toBeTruthy()
  pendingResponses[source]
    ?.writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ meta: { request_id: 'r' }, ...body }))
  delete pendingResponses[source]
}

/**
 * Sends one more request and waits for its response. Then all earlier responses have been processed
 * too.
 */
async function waitForEarlierResponses(): Promise<void> {
  const sentRequest = call('payouts.get', { id }, { environment: 'sandbox' })
  await sendResponse('v1', 200, { data: { id, status: 'paid' } })
  await act(() => sentRequest)
}

function RecordView() {
  const { data, error } = useQuery(
    recordQuery({ environment: 'sandbox', account: null }, 'payouts.get', { id }),
  )
  return <p>{[data?.data.status, error?.code].filter(Boolean).join(' ') || 'pending'}</p>
}

const renderRecord = () =>
  render(
    <QueryProvider person="omar">
      <RecordView />
    </QueryProvider>,
  )

test('a record shows the mirror’s row until the service responds', async () => {
  renderRecord()
  await screen.findByText('pending')
  await sendResponse('mirror', 200, { data: { id, status: 'on_hold' } })
  await screen.findByText('on_hold')
  await sendResponse('v1', 200, { data: { id, status: 'scheduled' } })
  await screen.findByText('scheduled')
})

test('a mirror row that arrives after the service’s response is ignored', async () => {
  renderRecord()
  await sendResponse('v1', 200, { data: { id, status: 'scheduled' } })
  await screen.findByText('scheduled')
  await sendResponse('mirror', 200, { data: { id, status: 'on_hold' } })
  await waitForEarlierResponses()
  expect(screen.getByRole('paragraph').textContent).toBe('scheduled')
})

test('if the service fails, the mirror’s row is shown beside the error, in any order', async () => {
  renderRecord()
  await sendResponse('v1', 503, { error: { code: 'service_busy', detail: 'try again' } })
  await waitForEarlierResponses()
  await sendResponse('mirror', 200, { data: { id, status: 'on_hold' } })
  await screen.findByText('on_hold service_busy')
})
