import { sentence } from '@/lib/domain/sentence'
import type { AuditOutcome } from '@/lib/operations/audit'
import { isOperationId, operation } from '@/lib/operations/operations'

/** What was asked for that is no operation, in words. */
const others: Readonly<Record<string, string>> = {
  'account_of.find': 'find the account of an object',
  'activity.open': 'open the request log',
  'audit.restored': 'accept a restored store',
  'deletions.apply_again': 'apply a deletion again after a restore',
  'deletions.certify': 'certify a deletion',
  'page.open': 'open a page',
  'people.create': 'create a person by command',
  'people.follow_sso_groups': 'follow the groups of single sign-on',
  'people.forgot_password': 'ask for a new password',
  'people.grant_by_sso': 'grant a role by a group of single sign-on',
  'people.link_sso': 'link a person to single sign-on',
  'people.make_by_sso': 'create a person at their first single sign-on',
  'people.take_grant_by_sso': 'remove a role whose group is gone',
  'people.set_password': 'set a password by a link',
  'refusals.others': 'further requests that were only counted',
  'session.sign_in': 'sign in',
  'session.sign_out': 'sign out',
  'settings.open': 'open the settings',
  'step_ups.use': 'confirm with a proof of another request',
}

const outcomes: Readonly<Record<string, AuditOutcome>> = {
  start: 'started',
  asked: 'asked',
  refused: 'refused',
  rejected: 'refused',
  blocked: 'refused',
  void: 'refused',
  expired: 'refused',
  denied: 'denied',
  blocked_by_policy: 'denied',
  unauthenticated: 'denied',
  other_site: 'denied',
  too_many: 'denied',
  counted: 'denied',
  unknown: 'unknown',
  needs_human: 'unknown',
}

/** The ends of codes that mean an outcome; every end that is in none means `done`. */
export const endsOf = (outcome: AuditOutcome): string[] => Object.keys(outcomes).filter((end) => outcomes[end] === outcome)

/** The ends that mean something else than `done`. */
export const otherEnds: readonly string[] = Object.keys(outcomes)

const parts = (code: string): [string, string] => {
  const dot = code.lastIndexOf('.')
  return [code.slice(0, dot), code.slice(dot + 1)]
}

export function outcomeOf(code: string): AuditOutcome {
  const [, end] = parts(code)
  return outcomes[end] ?? 'done'
}

/** The verb phrase of what was asked; a code nobody knows any more reads as it is. */
export const phraseOf = (asked: string): string => {
  if (isOperationId(asked)) return operation(asked).verbPhrase
  return others[asked] ?? asked.replaceAll(/[._]/g, ' ')
}

/** What a row tells: `Release a payout: applied`. */
export function wordsOf(code: string): string {
  const [asked, end] = parts(code)
  return `${sentence(phraseOf(asked))}: ${end.replaceAll('_', ' ')}`
}

/** Everything the audit can be narrowed to, by phrase. */
export const askedChoices = (ids: readonly string[]): { value: string; label: string }[] =>
  [...ids, ...Object.keys(others)]
    .map((value) => ({ value, label: sentence(phraseOf(value)) }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))
