import type { StatusWords } from '@/lib/domain/status'
import type { FoundTrace } from '@/lib/operations/find'
import { rowOf } from '@/lib/operations/rows'
import { activityPath, recordPath, targetPath } from '@/lib/routes'

const actionStates: Record<NonNullable<FoundTrace['state']>, Pick<StatusWords, 'label' | 'tone'>> = {
  sending: { label: 'Sending', tone: 'moving' },
  applied: { label: 'Applied', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  unknown: { label: 'Outcome unknown', tone: 'held' },
  needs_human: { label: 'To be decided', tone: 'held' },
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

const answered = (status: number | null): Pick<StatusWords, 'label' | 'tone'> => ({
  label: String(status),
  tone: status !== null && status < 400 ? 'good' : 'bad',
})

/** A trace as the palette writes it: what was done, and where it stands. */
export const traceWords = ({ kind, operation, state, status, by, actor }: FoundTrace) => ({
  title: sentence(rowOf(operation).does),
  note: `${kind === 'action' ? 'Action' : 'Request'} by ${actor}, found by ${by}`,
  shown: state ? actionStates[state] : answered(status),
})

/** Where a trace leads: to the object it was about, or, where it was about none, to its requests in the log. `text` is what was looked for. */
export function tracePath(environment: string, { kind, id, target, account }: FoundTrace, text: string): string {
  const path = targetPath(environment, target, { account })
  if (path !== null) return path
  // Settings and capability requests are parts of an account and have no page of their own.
  if (account && /^(?:account_settings|capability_requests)\//.test(target ?? '')) {
    return recordPath(environment, 'accounts', account.replace(/^acct_/, ''), { account })
  }
  return activityPath(environment, { account, tab: 'requests', request: kind === 'action' ? id : text })
}
