import 'server-only'

const holder = globalThis as typeof globalThis & { paydeskShared?: Map<string, unknown> }
holder.paydeskShared ??= new Map()
const sharedValues = holder.paydeskShared

/**
 * Returns the process-wide value of a name; `create` creates it on the first call. The server, its pages and its route handlers are bundled
 * separately, so a module variable would exist several times.
 */
export function shared<T>(name: string, create: () => T): T {
  if (!sharedValues.has(name)) sharedValues.set(name, create())
  return sharedValues.get(name) as T
}
