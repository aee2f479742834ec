import 'server-only'
import { types } from 'node:util'

/**
 * Codes of a store that does not answer: of the network, and of PostgreSQL for a lost connection (08), no room (53), a server that stops (57P), a statement or a
 * lock that took too long (57014, 55P03), and a fault of its disk (58).
 */
const awayCode = /^(?:E[A-Z]+|(?:08|53|58)\w{3}|57P0\d|57014|55P03)$/

/** Texts of the driver's own errors, which have no code. */
const driverTexts = ['timeout exceeded when trying to connect', 'Connection terminated', 'Query read timeout']

const mostCauses = 5

/** Returns whether an error that a query threw says that the store does not answer at present, so that the same request may succeed later. */
export function isStoreAway(thrown: unknown): boolean {
  let error = thrown
  for (let depth = 0; depth < mostCauses && types.isNativeError(error); depth += 1) {
    const { message } = error
    if ('code' in error && typeof error.code === 'string' && awayCode.test(error.code)) return true
    if (driverTexts.some((text) => message.startsWith(text))) return true
    error = error.cause
  }
  return false
}
