import 'server-only'

const holder = globalThis as typeof globalThis & { paydeskShared?: Map<string, unknown> }
holder.paydeskShared ??= new Map()
const values = holder.paydeskShared

/**
 * Returns what this process has one of, by its name; `make` makes it at the first call. The server, its pages and its route handlers are bundled apart, each with
 * a copy of every module, so a variable of a module would exist several times.
 */
export function shared<T>(name: string, make: () => T): T {
  if (!values.has(name)) values.set(name, make())
  return values.get(name) as T
}
