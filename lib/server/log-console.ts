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
 * Logs only the code of an error and its digest, the reference on the error page. The text is
 * omitted, because that of a failed query contains its parameters.
 */
export function redirectConsoleToLog(): void {
  for (const [method, level] of Object.entries(levelByMethod) as [
    keyof typeof levelByMethod,
    'error' | 'warn' | 'info',
  ][])
    console[method] = (...parts: unknown[]) => log[level](toLogLine(parts))
}
