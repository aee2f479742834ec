import 'server-only'
import { types } from 'node:util'

/** A code as programs write it: `ECONNREFUSED`, `42P01`, `ERR_INVALID_URL`. Other texts of an error may contain values that a person typed. */
export const plainCode = /^\w{1,60}$/

const mostErrors = 5

/** Returns a thrown error and its causes, the error first; at most five, because a cause may lead back to its error. */
export function errorChain(thrown: unknown): Error[] {
  const chain: Error[] = []
  for (let next = thrown; chain.length < mostErrors && types.isNativeError(next); next = next.cause) chain.push(next)
  return chain
}

/** Returns the code in an error itself, as Node and PostgreSQL write it; undefined if there is none. */
export function codeIn(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && plainCode.test(error.code) ? error.code : undefined
}

/** Returns the code of an error, or of the nearest of its causes that has one; the name of the error if there is none. Never its text. */
export function errorCode(thrown: unknown): string {
  const chain = errorChain(thrown)
  const names = [...chain.map(codeIn), chain[0]?.name]
  return names.find((name) => name !== undefined && plainCode.test(name)) ?? typeof thrown
}
