import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePort } from './harness/free-port'
import { startNginx } from './harness/nginx'

/**
 * Starts a server that replaces an instance of Paydesk. It records the method of each request
 * except health checks. While `isBroken` is true, it closes the connections of these requests
 * without a response.
 */
function startFakeInstance() {
  const instanceState = { isBroken: false, received: [] as string[] }
  const server = createServer((request, response) => {
    if (request.url === '/api/health/live') return void response.end()
    instanceState.received.push(request.method ?? '')
    if (instanceState.isBroken) request.socket.destroy()
    else response.end()
  })
  return new Promise<{ server: Server; state: typeof instanceState; port: number }>((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ server, state: instanceState, port: (server.address() as AddressInfo).port }),
    ),
  )
}

let fakeInstances: Awaited<ReturnType<typeof startFakeInstance>>[]
let nginx: Awaited<ReturnType<typeof startNginx>>

beforeEach(async () => {
  fakeInstances = [await startFakeInstance(), await startFakeInstance()]
  nginx = await startNginx({
    port: await findFreePort(),
    ports: fakeInstances.map(({ port }) => port),
  })
})
afterEach(async () => {
  await nginx?.stop()
  for (const { server } of fakeInstances ?? []) {
    server.closeAllConnections()
    server.close()
  }
})

const listReceivedMethods = () => fakeInstances.flatMap(({ state }) => state.received)

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  'a %s whose response is lost is not sent to another instance',
  async (method) => {
    for (const { state } of fakeInstances) state.isBroken = true
    expect((await fetch(`${nginx.url}/api/x`, { method })).status).toBe(502)
    expect(listReceivedMethods()).toEqual([method])
  },
)

test('a read whose response is lost is sent to another instance', async () => {
  for (const { state } of fakeInstances) state.isBroken = true
  expect((await fetch(`${nginx.url}/api/x`)).status).toBe(502)
  expect(listReceivedMethods()).toEqual(['GET', 'GET'])
})

test.each(['POST', 'PUT', 'DELETE'])(
  'a %s that one instance does not accept is sent once, to the other',
  async (method) => {
    fakeInstances[0]?.server.closeAllConnections()
    await new Promise((resolve) => fakeInstances[0]?.server.close(resolve))
    for (let turn = 0; turn < 4; turn += 1)
      expect((await fetch(`${nginx.url}/api/x`, { method })).status).toBe(200)
    expect(listReceivedMethods()).toEqual([method, method, method, method])
  },
)
