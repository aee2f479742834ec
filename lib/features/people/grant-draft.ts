import { isCalendarDate, toDayEnd } from '@/lib/dates'
import type { Environment, Role } from '@/lib/operations/define'
import type { GrantInput } from '@/lib/operations/people'

/**
 * The typed values of a grant. An empty account means the whole platform. `until` is the last day
 * (calendar date), or empty.
 */
export type GrantDraft = { role: Role; environment: Environment; account: string; until: string }

export const createGrantDraft = (environment: Environment): GrantDraft => ({
  role: 'viewer',
  environment,
  account: '',
  until: '',
})

/**
 * Converts the typed values to the operation's input. The grant expires at the end of its last day
 * in `zone`. A date that does not exist is kept, so that the operation refuses it.
 */
export function toGrantInput(
  { role, environment, account, until }: GrantDraft,
  zone: string,
): GrantInput {
  const expiryText = isCalendarDate(until) ? new Date(toDayEnd(until, zone)).toISOString() : until
  return {
    role,
    environment,
    account: account === '' ? null : account,
    expires_at: expiryText === '' ? null : expiryText,
  }
}
