import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request on its way to the service, and an answer on its way back; both may be changed. */
export type Passing = { method: string; path: string; headers: Record<string, string> }
export type PassedBack = { status: number; headers: Record<string, string>; text: string }

type Twist = {
  /** Changes a request, or answers it in the service's place. */
  there?: (passing: Passing) => PassedBack | undefined
  /** Changes an answer. */
  back?: (answer: PassedBack, passing: Passing) => void
}

const headersOf = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))

/** Stands between a client and a service, as a service that is otherwise in one thing; `seen` is what arrived. */
export async function startBetween(serviceUrl: string, { there, back }: Twist) {
  const seen: Passing[] = []
  const server = http.createServer(async (request, response) => {
    const passing = { method: request.method ?? '', path: request.url ?? '', headers: headersOf(request.headers) }
    seen.push({ ...passing, headers: { ...passing.headers } })
    const answer = there?.(passing) ?? (await pass(serviceUrl, passing))
    back?.(answer, passing)
    response.writeHead(answer.status, answer.headers).end(answer.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
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
