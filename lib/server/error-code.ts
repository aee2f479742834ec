import 'server-only'
import { types } from 'node:util'

/** A code as programs write it: `ECONNREFUSED`, `42P01`, `ERR_INVALID_URL`. Other texts of an error may contain values that a person typed. */
export const plainCode = /^\w{1,60}$/

const mostCauses = 5

/** Returns the code of an error, or of the nearest of its causes that has one; the name of the error if there is none. Never its text. */
export function errorCode(thrown: unknown): string {
  if (!types.isNativeError(thrown)) return typeof thrown
  let error: unknown = thrown
  for (let depth = 0; depth < mostCauses && types.isNativeError(error); depth += 1) {
    if ('code' in error && typeof error.code === 'string' && plainCode.test(error.code)) return error.code
    error = error.cause
  }
  return plainCode.test(thrown.name) ? thrown.name : 'Error'
}
