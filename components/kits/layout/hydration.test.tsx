import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useQuery } from '@tanstack/react-query'
import { act, waitFor } from '@testing-library/react'
import { type ComponentType, lazy } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Boundary } from '@/components/ui/boundary'
import { clearQueries } from '@/lib/client/query/client'
import { QueryProvider } from '@/lib/client/query/provider'
import { read } from '@/lib/client/query/reads'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'

let pending: ServerResponse[] = []
let server: Server
beforeAll(async () => {
  server = createServer((_, response) => void pending.push(response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())

/** The status of a payout as the server has read it, some time ago. */
function Status() {
  const payout = { id, status: 'on_hold' } as never
  const initial = { initialData: { data: payout, meta: { request_id: 'r' }, replayed: false }, initialDataUpdatedAt: 0 }
  const { data } = useQuery({ ...read({ environment: 'sandbox', account: null }, 'payouts.get', { id }), ...initial })
  return <p>{data?.data.status}</p>
}

const page = (Late: ComponentType) => (
  <QueryProvider person="omar">
    <Status />
    <Boundary>
      <Late />
    </Boundary>
  </QueryProvider>
)

test('no read is sent before every part of the page is hydrated, so each part hydrates with what the server drew', async () => {
  clearQueries()
  pending = []
  const fetch = vi.spyOn(globalThis, 'fetch')
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(page(Status))
  const texts = () => [...container.querySelectorAll('p')].map(({ textContent }) => textContent)
  expect(texts()).toEqual(['on_hold', 'on_hold'])
  let arrive = (_module: { default: ComponentType }) => {}
  const Late = lazy(() => new Promise<{ default: ComponentType }>((resolve) => (arrive = resolve)))
  const errors: unknown[] = []
  const root = await act(() => hydrateRoot(container, page(Late), { onRecoverableError: (error) => errors.push(error) }))
  expect(fetch).not.toHaveBeenCalled()
  await act(async () => arrive({ default: Status }))
  await waitFor(() => expect(pending).toHaveLength(1))
  expect(texts()).toEqual(['on_hold', 'on_hold'])
  pending[0]?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ meta: {}, data: { id, status: 'scheduled' } }))
  await waitFor(() => expect(texts()).toEqual(['scheduled', 'scheduled']))
  expect(errors).toEqual([])
  fetch.mockRestore()
  act(() => root.unmount())
  container.remove()
})
