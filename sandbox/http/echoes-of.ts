import type { IncomingMessage } from 'node:http'

/** Returns the tracing headers of a request, to send back with any response. */
export function echoesOf({ headers }: IncomingMessage): Record<string, string> {
  const echoes: Record<string, string> = {}
  for (const name of ['request-id', 'correlation-id']) {
    const value = headers[name]
    if (value !== undefined) echoes[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return echoes
}
