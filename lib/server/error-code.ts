import 'server-only'
import { types } from 'node:util'

/**
 * Pattern of a machine-readable error code, such as `ECONNREFUSED`, `42P01` or `ERR_INVALID_URL`.
 * Other error texts can contain values that a person typed, so they must not be logged.
 */
export const errorCodePattern = /^\w{1,60}$/

const maxChainLength = 5

/**
 * Returns a thrown error and its causes, outermost first. Returns at most five, because causes can
 * be circular.
 */
export function listErrorChain(thrown: unknown): Error[] {
  const chain: Error[] = []
  for (
    let next = thrown;
    chain.length < maxChainLength && types.isNativeError(next);
    next = next.cause
  )
    chain.push(next)
  return chain
}

/** Returns the `code` of an error, as set by Node or PostgreSQL; undefined if there is none. */
export function getCodeProperty(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && errorCodePattern.test(error.code)
    ? error.code
    : undefined
}

/**
 * Returns the code of an error or of its nearest cause that has one, otherwise its name. Omits the
 * message, which can contain values.
 */
export function getErrorCode(thrown: unknown): string {
  const chain = listErrorChain(thrown)
  const candidateCodes = [...chain.map(getCodeProperty), chain[0]?.name]
  return (
    candidateCodes.find((name) => name !== undefined && errorCodePattern.test(name)) ??
    typeof thrown
  )
}
