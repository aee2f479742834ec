import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: Headers; body: string; text: string }

/** Parses the raw text that a connection received as one HTTP response. */
export function parseRaw(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((each): [string, string] => [each.split(':', 1)[0] ?? '', each.slice(each.indexOf(':') + 1).trim()]),
  )
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n'), text }
}

/** Sends exactly these bytes over a new connection. Returns the response that arrived until the server closed the connection. */
export function sendRawBytes(base: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => {
      text += part
    })
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(parseRaw(text))))
    socket.on('close', () => resolve(parseRaw(text)))
    socket.write(bytes)
  })
}

/**
 * Sends a request with these raw headers over a new connection. `line` is the method and path. The Host header is sent only if `lines`
 * contains it.
 */
export const sendRawRequest = (base: string, line: string, lines: string[] = [], body = ''): Promise<RawAnswer> =>
  sendRawBytes(base, `${line} HTTP/1.1\r\n${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
