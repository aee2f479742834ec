import { connect } from 'node:net'

export type RawResponse = { status: number; headers: Headers; body: string; text: string }

/** Parses the text that was received on a connection as one HTTP response. */
export function parseRawResponse(text: string): RawResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((each): [string, string] => [
      each.split(':', 1)[0] ?? '',
      each.slice(each.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n'), text }
}

/**
 * Sends exactly these bytes over a new connection. Returns the response that arrived until the
 * server closed the connection.
 */
export function sendRawBytes(baseUrl: string, bytes: string): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let receivedText = ''
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => {
      receivedText += part
    })
    socket.on('error', (error) =>
      receivedText === '' ? reject(error) : resolve(parseRawResponse(receivedText)),
    )
    socket.on('close', () => resolve(parseRawResponse(receivedText)))
    socket.write(bytes)
  })
}

/**
 * Sends a request over a new connection, without the headers that an HTTP client adds. The caller
 * gives the method and path in one text, and the header lines. A Host header is sent only if it is
 * among them.
 */
export const sendRawRequest = (
  base: string,
  methodAndPath: string,
  headerLines: string[] = [],
  body = '',
): Promise<RawResponse> =>
  sendRawBytes(
    base,
    `${methodAndPath} HTTP/1.1\r\n${[...headerLines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`,
  )
