import 'server-only'
import { types } from 'node:util'
import { errorCode, plainCode } from './error-code'
import { type LogLine, log } from './log'

const levels = { error: 'error', warn: 'warn', info: 'info', log: 'info', debug: 'info' } as const

function lineOf(parts: readonly unknown[]): LogLine {
  const error = parts.find((part) => types.isNativeError(part))
  if (!error) return { event: 'console.text' }
  const { digest } = error as { digest?: unknown }
  return { event: 'console.error', code: errorCode(error), ...(typeof digest === 'string' && plainCode.test(digest) ? { digest } : {}) }
}

/**
 * Writes what Next and libraries print on the console as lines of the log: the code of an error and the digest that its page shows, and no text, because a
 * failed query prints its parameters.
 */
export function logConsole(): void {
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, 'error' | 'warn' | 'info'][])
    console[method] = (...parts: unknown[]) => log[level](lineOf(parts))
}
