import 'server-only'
import { types } from 'node:util'
import { codePattern, errorCode } from './error-code'
import { type LogLine, log } from './log'

const levels = { error: 'error', warn: 'warn', info: 'info', log: 'info', debug: 'info' } as const

function toLogLine(parts: readonly unknown[]): LogLine {
  const error = parts.find((part) => types.isNativeError(part))
  if (!error) return { event: 'console.text' }
  const { digest } = error as { digest?: unknown }
  return { event: 'console.error', code: errorCode(error), ...(typeof digest === 'string' && codePattern.test(digest) ? { digest } : {}) }
}

/**
 * Redirects the console output of Next and libraries to the log. Logs only the error's code and its digest, the reference on the error
 * page: the text of a failed query contains its parameters.
 */
export function logConsole(): void {
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, 'error' | 'warn' | 'info'][])
    console[method] = (...parts: unknown[]) => log[level](toLogLine(parts))
}
