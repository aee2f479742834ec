import 'server-only'
import { log } from './log'

/** Milliseconds before a repeated failure is logged again. */
const repeatIntervalMs = 60_000

/** Logs the first failure, each change of the code, and otherwise one failure per minute. */
export function createFailureLog(event: string, environment?: string) {
  let lastFailure: { code: string; at: number } | null = null
  return {
    noteFailure: (code: string): void => {
      if (lastFailure?.code === code && performance.now() - lastFailure.at < repeatIntervalMs)
        return
      lastFailure = { code, at: performance.now() }
      log.error({ event, code, ...(environment ? { environment } : {}) })
    },
    noteSuccess: (): void => {
      lastFailure = null
    },
  }
}
