const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Returns true if the Host header contains an address or name of this server. This prevents DNS
 * rebinding: a website can make its own domain resolve to this machine, but the browser then sends
 * that domain as Host.
 */
export function isOwnHost(
  hosts: readonly string[] | undefined,
  listenHost: string,
  localAddress: string | undefined,
): boolean {
  const [host = '', ...others] = hosts ?? []
  const hostName = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase()
  if (hostName === undefined || others.length > 0) return false
  const socketAddress = localAddress?.replace(/^::ffff:(?=\d+\.)/, '')
  return (
    loopbackNames.has(hostName) ||
    [listenHost.toLowerCase(), socketAddress].some(
      (own) => own === hostName || `[${own}]` === hostName,
    )
  )
}
