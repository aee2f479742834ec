import 'server-only'
import { types } from 'node:util'
import { codePattern, getErrorCode } from './error-code'
import { type LogLine, log } from './log'

const levelByMethod = { error: 'error', warn: 'warn', info: 'info', log: 'info', debug: 'info' } as const

function toLogLine(parts: readonly unknown[]): LogLine {
  const error = parts.find((part) => types.isNativeError(part))
  if (!error) return { event: 'console.text' }
  const { digest } = error as { digest?: unknown }
  return {
    event: 'console.error',
    code: getErrorCode(error),
    ...(typeof digest === 'string' && codePattern.test(digest) ? { digest } : {}),
  }
}

/**
 * Redirects the console output of Next and libraries to the log. Logs only the error's code and its digest, the reference on the error
 * page: the text of a failed query contains its parameters.
 */
export function logConsole(): void {
  for (const [method, level] of Object.entries(levelByMethod) as [keyof typeof levelByMethod, 'error' | 'warn' | 'info'][])
    console[method] = (...parts: unknown[]) => log[level](toLogLine(parts))
}
