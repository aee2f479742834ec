import 'server-only'
import { types } from 'node:util'
import { type LogLine, log } from './log'

/** A code as programs write it: `ECONNREFUSED`, `42P01`, `ERR_INVALID_URL`. Other texts of an error may contain values that a person typed. */
const plainCode = /^\w{1,60}$/

const mostCauses = 5

const levels = { error: 'error', warn: 'warn', info: 'info', log: 'info', debug: 'info' } as const

/** Returns the code of an error, or of the nearest of its causes that has one; the name of the error if there is none. */
function codeOf(error: Error): string {
  let cause: unknown = error
  for (let depth = 0; depth < mostCauses && types.isNativeError(cause); depth += 1) {
    if ('code' in cause && typeof cause.code === 'string' && plainCode.test(cause.code)) return cause.code
    cause = cause.cause
  }
  return plainCode.test(error.name) ? error.name : 'Error'
}

function lineOf(parts: readonly unknown[]): LogLine {
  const error = parts.find((part) => types.isNativeError(part))
  if (!error) return { event: 'console.text' }
  const { digest } = error as { digest?: unknown }
  return { event: 'console.error', code: codeOf(error), ...(typeof digest === 'string' && plainCode.test(digest) ? { digest } : {}) }
}

/**
 * Writes what Next and libraries print on the console as lines of the log: the code of an error and the digest that its page shows, and no text, because a
 * failed query prints its parameters.
 */
export function logConsole(): void {
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, 'error' | 'warn' | 'info'][])
    console[method] = (...parts: unknown[]) => log[level](lineOf(parts))
}
