import 'server-only'
import { codeIn, errorChain } from '@/lib/server/error-code'

/**
 * Codes of a store that does not answer: of the network, and of PostgreSQL for a lost connection (08), no room (53), a server that stops (57P), a statement or a
 * lock that took too long (57014, 55P03), and a fault of its disk (58).
 */
const awayCode = /^(?:E[A-Z]+|(?:08|53|58)\w{3}|57P0\d|57014|55P03)$/

/** Texts of the driver's own errors, which have no code. */
const driverTexts = ['timeout exceeded when trying to connect', 'Connection terminated', 'Query read timeout']

/** Returns true for an error of a query that may succeed later, because the store does not answer at present. */
export const isStoreAway = (thrown: unknown): boolean =>
  errorChain(thrown).some((error) => awayCode.test(codeIn(error) ?? '') || driverTexts.some((text) => error.message.startsWith(text)))
