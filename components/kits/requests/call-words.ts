import type { Tone } from '@/components/ui/tone'
import type { LoggedCall } from '@/lib/operations/activity'

/** How an answer is drawn: done, not known to be done, refused, or not done. */
export function callTone({ status, error_code: code }: Pick<LoggedCall, 'status' | 'error_code'>): Tone {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'held'
  return code === null ? 'good' : 'unknown'
}

const times = (attempts: number) => (attempts === 1 ? 'once' : `${attempts} times, under one key`)

/** How often the bytes of a call went to the service, and whose answer it was. */
export function sentText({ attempts, replayed }: Pick<LoggedCall, 'attempts' | 'replayed'>): string {
  if (attempts === 0) return replayed ? 'not again: an earlier answer was told' : 'not at all'
  return replayed ? `${times(attempts)}; an earlier answer was told again` : times(attempts)
}

/** What went wrong, in the words of the log; null where nothing did. */
export function wrongText({ error_code: code, error_detail: detail }: Pick<LoggedCall, 'error_code' | 'error_detail'>): string | null {
  if (code === null) return null
  return detail ? `${code.replaceAll('_', ' ')}: ${detail}` : code.replaceAll('_', ' ')
}
