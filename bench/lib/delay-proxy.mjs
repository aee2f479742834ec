import { Agent, createServer, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Starts a proxy in front of `targetUrl`. The caller may change its `delay` (milliseconds per
 * call). `calls` counts forwarded requests. `answers(request, response)` returns true if it
 * responded itself: no request is forwarded then.
 */
export async function startDelayProxy(targetUrl, { add = {}, answers = () => false } = {}) {
  const agent = new Agent({ keepAlive: true })
  const proxyState = { delay: 0, calls: 0 }
  const forwardRequest = async (incomingRequest, clientResponse) => {
    proxyState.calls += 1
    await pause(proxyState.delay)
    const { method, headers } = incomingRequest
    const serviceRequest = request(new URL(incomingRequest.url, targetUrl), {
      agent,
      method,
      headers: { ...headers, ...add },
    })
    serviceRequest.once('error', () => clientResponse.destroy())
    serviceRequest.once('response', (response) => {
      clientResponse.writeHead(response.statusCode, response.headers)
      pipeline(response, clientResponse).catch(() => {})
    })
    incomingRequest.pipe(serviceRequest)
  }
  const server = createServer((incomingRequest, clientResponse) => {
    if (!answers(incomingRequest, clientResponse))
      void forwardRequest(incomingRequest, clientResponse)
  })
  // Longer than one page's measurement, so that the dashboard's idle connections stay open.
  server.keepAliveTimeout = 120_000
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxyState.url = `http://127.0.0.1:${server.address().port}`
  proxyState.stop = () => {
    server.closeAllConnections()
    agent.destroy()
    return new Promise((resolve) => server.close(resolve))
  }
  return proxyState
}
