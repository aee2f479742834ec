import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to the service. A test can change it. */
export type Passing = { method: string; path: string; headers: Record<string, string> }
export type PassedBack = { status: number; headers: Record<string, string>; text: string }

type Twist = {
  /** Changes a request. If it returns a response, the request is not sent to the service. */
  there?: (passing: Passing) => PassedBack | undefined
  back?: (answer: PassedBack, passing: Passing) => void
}

const headersOf = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))

/** Starts a proxy that changes requests (`there`) or responses (`back`) of a service. `seen` contains the requests as they arrived. */
export async function startBetween(serviceUrl: string, { there, back }: Twist) {
  const requests: Passing[] = []
  const server = http.createServer(async (request, response) => {
    const passing = { method: request.method ?? '', path: request.url ?? '', headers: headersOf(request.headers) }
    requests.push({ ...passing, headers: { ...passing.headers } })
    const answer = there?.(passing) ?? (await pass(serviceUrl, passing))
    back?.(answer, passing)
    response.writeHead(answer.status, answer.headers).end(answer.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: requests,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function pass(serviceUrl: string, { method, path, headers: { host: _, connection: __, ...headers } }: Passing): Promise<PassedBack> {
  const answer = await fetch(serviceUrl + path, { method, headers })
  const { 'content-length': ___, 'transfer-encoding': ____, connection: _____, ...kept } = Object.fromEntries(answer.headers)
  return { status: answer.status, headers: kept, text: await answer.text() }
}
