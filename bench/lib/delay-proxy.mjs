import { Agent, createServer, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Starts a proxy to the service at `target`. Returns its `url`, the number of `calls` so far, and
 * `delay`: the milliseconds that each call waits, which the caller may change. Adds the headers in
 * `add` to each call. `answers(request, response)` may respond to a request itself. It then returns
 * true, and the request is not forwarded.
 */
export async function startDelayProxy(target, { add = {}, answers = () => false } = {}) {
  const agent = new Agent({ keepAlive: true })
  const proxy = { delay: 0, calls: 0 }
  const forwardRequest = async (asked, answer) => {
    proxy.calls += 1
    await pause(proxy.delay)
    const { method, headers } = asked
    const serviceRequest = request(new URL(asked.url, target), {
      agent,
      method,
      headers: { ...headers, ...add },
    })
    serviceRequest.once('error', () => answer.destroy())
    serviceRequest.once('response', (response) => {
      answer.writeHead(response.statusCode, response.headers)
      pipeline(response, answer).catch(() => {})
    })
    asked.pipe(serviceRequest)
  }
  const server = createServer((asked, answer) => {
    if (!answers(asked, answer)) void forwardRequest(asked, answer)
  })
  // Longer than the measurement of one page, so that the server does not close idle connections of
  // the dashboard during it.
  server.keepAliveTimeout = 120_000
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${server.address().port}`
  proxy.stop = () => {
    server.closeAllConnections()
    agent.destroy()
    return new Promise((resolve) => server.close(resolve))
  }
  return proxy
}
