import 'server-only'
import { types } from 'node:util'
import { errorCodePattern, getErrorCode } from './error-code'
import { type LogLine, log } from './log'

const levelByMethod = {
  error: 'error',
  warn: 'warn',
  info: 'info',
  log: 'info',
  debug: 'info',
} as const

function toLogLine(parts: readonly unknown[]): LogLine {
  const error = parts.find((part) => types.isNativeError(part))
  if (!error) return { event: 'console.text' }
  const { digest } = error as { digest?: unknown }
  return {
    event: 'console.error',
    code: getErrorCode(error),
    ...(typeof digest === 'string' && errorCodePattern.test(digest) ? { digest } : {}),
  }
}

/**
 * Redirects the console output of Next and libraries to the log. Of an error, logs only its code
 * and its digest, which is the reference on the error page. The text is omitted, because that of a
 * failed query contains its parameters.
 */
export function logConsole(): void {
  for (const [method, level] of Object.entries(levelByMethod) as [
    keyof typeof levelByMethod,
    'error' | 'warn' | 'info',
  ][])
    console[method] = (...parts: unknown[]) => log[level](toLogLine(parts))
}
