import 'server-only'
import { types } from 'node:util'

/**
 * Matches codes such as `ECONNREFUSED`, `42P01` or `ERR_INVALID_URL`. Other error texts can contain
 * values that a person typed, so they must not be logged.
 */
export const errorCodePattern = /^\w{1,60}$/

const maxChainLength = 5

/**
 * Returns the error and its causes, outermost first. At most five, because causes can be circular.
 */
export function listErrorChain(thrown: unknown): Error[] {
  const errorChain: Error[] = []
  for (
    let nextError = thrown;
    errorChain.length < maxChainLength && types.isNativeError(nextError);
    nextError = nextError.cause
  )
    errorChain.push(nextError)
  return errorChain
}

/** Node and PostgreSQL set this code. */
export function getCodeProperty(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && errorCodePattern.test(error.code)
    ? error.code
    : undefined
}

/**
 * Returns the code of the outermost error that has one, otherwise the error's name. Omits the
 * message, which can contain personal data.
 */
export function getErrorCode(thrown: unknown): string {
  const chain = listErrorChain(thrown)
  const candidateCodes = [...chain.map(getCodeProperty), chain[0]?.name]
  return (
    candidateCodes.find((name) => name !== undefined && errorCodePattern.test(name)) ??
    typeof thrown
  )
}
