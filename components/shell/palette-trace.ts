import type { StatusWords } from '@/lib/domain/status'
import type { FoundTrace } from '@/lib/operations/find'
import { rowOf } from '@/lib/operations/rows'
import { deskPath, type RecordResource, recordPath } from '@/lib/routes'
import { resourceWords } from './hit'

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

/** Where a trace leads: to the object it was about, or, for a search, to the activity page. */
export function tracePath(environment: string, { target, account }: FoundTrace): string {
  const [resource = '', id = ''] = target?.split('/') ?? []
  if (id !== '' && Object.hasOwn(resourceWords, resource)) return recordPath(environment, resource as RecordResource, id, { account })
  // Settings and capability requests are parts of an account and have no page of their own.
  if (account && /^(?:account_settings|capability_requests)$/.test(resource)) {
    return recordPath(environment, 'accounts', account.replace(/^acct_/, ''), { account })
  }
  return deskPath(environment, '/activity', { account })
}
