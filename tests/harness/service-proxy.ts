import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request on its way to the service. The function `there` of a test can change it. */
export type ProxiedRequest = { method: string; path: string; headers: Record<string, string> }
export type ProxiedResponse = { status: number; headers: Record<string, string>; text: string }

type ProxyHooks = {
  /** Changes a request. If it returns a response, the request is not sent to the service. */
  there?: (passing: ProxiedRequest) => ProxiedResponse | undefined
  back?: (answer: ProxiedResponse, passing: ProxiedRequest) => void
}

const toHeaderRecord = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

/**
 * Starts a proxy in front of a service. `there` can change requests, and `back` can change
 * responses. `seen` contains the requests as they arrived.
 */
export async function startServiceProxy(serviceUrl: string, { there, back }: ProxyHooks) {
  const proxiedRequests: ProxiedRequest[] = []
  const server = http.createServer(async (request, response) => {
    const proxiedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: toHeaderRecord(request.headers),
    }
    proxiedRequests.push({ ...proxiedRequest, headers: { ...proxiedRequest.headers } })
    const proxiedResponse =
      there?.(proxiedRequest) ?? (await forwardRequest(serviceUrl, proxiedRequest))
    back?.(proxiedResponse, proxiedRequest)
    response.writeHead(proxiedResponse.status, proxiedResponse.headers).end(proxiedResponse.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: proxiedRequests,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function forwardRequest(
  serviceUrl: string,
  { method, path, headers: { host: _, connection: __, ...headers } }: ProxiedRequest,
): Promise<ProxiedResponse> {
  const serviceResponse = await fetch(serviceUrl + path, { method, headers })
  const {
    'content-length': ___,
    'transfer-encoding': ____,
    connection: _____,
    ...kept
  } = Object.fromEntries(serviceResponse.headers)
  return { status: serviceResponse.status, headers: kept, text: await serviceResponse.text() }
}
