import 'server-only'
import { parse } from 'pg-connection-string'

const ownMachine = new Set(['127.0.0.1', 'localhost', '::1'])

function parsed(url: string) {
  try {
    return parse(url)
  } catch {
    return null
  }
}

/**
 * What is wrong with a PostgreSQL address, or null. Everything in the store passes this line, so beyond this machine it must be TLS to a server
 * that proves its name. The driver's own parser reads the address, because its parameters win over what stands before them (`?host=`) and the
 * last of two wins. Of its modes only `verify-full` will do: `prefer`, `require` and `verify-ca` mean the same in pg 8 and check less in pg 9,
 * `no-verify` checks nothing, and with `uselibpqcompat` the three check less already.
 */
export function databaseUrlFault(url: string): string | null {
  const address = parsed(url)
  if (!address) return 'must be like postgres://user@host/name, and the files it names must be readable'
  // Without one the driver would take the host from PGHOST, which nobody has checked.
  if (!address.host) return 'must name its host, as postgres://user@localhost/name'
  if (address.host.startsWith('/') || ownMachine.has(address.host)) return null
  if ('sslmode' in address && address.sslmode === 'verify-full') return null
  return 'must end in ?sslmode=verify-full when the host is another machine (with &sslrootcert=FILE for an authority of your own)'
}
