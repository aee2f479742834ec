import 'server-only'
import { getCodeProperty, listErrorChain } from '@/lib/server/error-code'

/**
 * Network errors (E…), a lost connection (08), no resources (53), a stopping server (57P), the
 * timeout of a statement or a lock (57014, 55P03), and a disk error (58).
 */
const unavailableCodePattern = /^(?:E[A-Z]+|(?:08|53|58)\w{3}|57P0\d|57014|55P03)$/

/** Beginnings of the messages of driver errors that have no code. */
const driverErrorTexts = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
]

/** True for a failure of the store after which a later retry may succeed. */
export const isStoreUnavailable = (thrown: unknown): boolean =>
  listErrorChain(thrown).some(
    (error) =>
      unavailableCodePattern.test(getCodeProperty(error) ?? '') ||
      driverErrorTexts.some((text) => error.message.startsWith(text)),
  )
