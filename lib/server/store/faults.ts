import 'server-only'
import { getCodeProperty, listErrorChain } from '@/lib/server/error-code'

/**
 * Error codes of a store that does not respond: network errors (E…), a lost connection (08), no resources (53), a stopping server (57P),
 * the timeout of a statement or a lock (57014, 55P03), and a disk error (58).
 */
const unavailablePattern = /^(?:E[A-Z]+|(?:08|53|58)\w{3}|57P0\d|57014|55P03)$/

/** Texts of errors of the driver that have no code. */
const driverTexts = ['timeout exceeded when trying to connect', 'Connection terminated', 'Query read timeout']

/** True if a query failed because the store does not respond at present. A later retry may succeed. */
export const isStoreUnavailable = (thrown: unknown): boolean =>
  listErrorChain(thrown).some(
    (error) => unavailablePattern.test(getCodeProperty(error) ?? '') || driverTexts.some((text) => error.message.startsWith(text)),
  )
