import type { IncomingMessage } from 'node:http'

/** The tracing headers a client sent, to be sent back with whatever answer it gets. */
export function echoesOf({ headers }: IncomingMessage): Record<string, string> {
  const echoes: Record<string, string> = {}
  for (const name of ['request-id', 'correlation-id']) {
    const value = headers[name]
    if (value !== undefined) echoes[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return echoes
}
