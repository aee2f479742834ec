const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * True if the request's Host header names this machine: a loopback name, the host that the sandbox listens on, or the connection's local
 * address. `hosts` are all Host headers of the request. Rejects DNS rebinding: a web site whose name resolves to this machine sends its own
 * name as Host.
 */
export function isOwnHost(hosts: readonly string[] | undefined, listenHost: string, localAddress: string | undefined): boolean {
  const [host = '', ...others] = hosts ?? []
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase()
  if (name === undefined || others.length > 0) return false
  const address = localAddress?.replace(/^::ffff:(?=\d+\.)/, '')
  return loopbackNames.has(name) || [listenHost.toLowerCase(), address].some((own) => own === name || `[${own}]` === name)
}
