import 'server-only'
import { log } from './log'

/** The time after which a failure is logged again for the same reason (milliseconds). */
const sameReasonEvery = 60_000

/** Logs failures that come again and again: the first, each with another code, and one a minute while they go on. */
export function failureLog(event: string, environment?: string) {
  let last: { code: string; at: number } | null = null
  return {
    noteFailure: (code: string): void => {
      if (last?.code === code && performance.now() - last.at < sameReasonEvery) return
      last = { code, at: performance.now() }
      log.error({ event, code, ...(environment ? { environment } : {}) })
    },
    noteSuccess: (): void => {
      last = null
    },
  }
}
