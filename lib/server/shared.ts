import 'server-only'

const globalWithSharedValues = globalThis as typeof globalThis & {
  paydeskShared?: Map<string, unknown>
}
globalWithSharedValues.paydeskShared ??= new Map()
const sharedValues = globalWithSharedValues.paydeskShared

/**
 * A module variable would not be shared by the whole process: the server, its pages and its route
 * handlers are bundled separately, so each bundle would have its own.
 */
export function getSharedValue<T>(name: string, create: () => T): T {
  if (!sharedValues.has(name)) sharedValues.set(name, create())
  return sharedValues.get(name) as T
}
