const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * True if the request's Host is this machine: a loopback name, the host the sandbox listens on, or the address of the connection. A site
 * whose name points at this machine (DNS rebinding) sends its own name instead. `hosts` are all Host lines of the request.
 */
export function isOwnHost(hosts: readonly string[] | undefined, listened: string, localAddress: string | undefined): boolean {
  const [host = '', ...others] = hosts ?? []
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase()
  if (name === undefined || others.length > 0) return false
  const address = localAddress?.replace(/^::ffff:(?=\d+\.)/, '')
  return loopbackNames.has(name) || [listened.toLowerCase(), address].some((own) => own === name || `[${own}]` === name)
}
