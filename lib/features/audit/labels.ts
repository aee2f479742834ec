import { capitalizeFirst } from '@/lib/formats'
import type { AuditOutcome } from '@/lib/operations/audit'
import { getOperation, isOperationId } from '@/lib/operations/operations'

/** Verb phrases of the audit codes that are not operations. */
const auditCodePhrases: Readonly<Record<string, string>> = {
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

const outcomeByCodeEnding: Readonly<Record<string, AuditOutcome>> = {
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

/** The ending of `payouts.release.refused` is `refused`. Endings not in the table mean `done`. */
export const listCodeEndings = (outcome: AuditOutcome): string[] =>
  Object.keys(outcomeByCodeEnding).filter((end) => outcomeByCodeEnding[end] === outcome)

export const notDoneCodeEndings: readonly string[] = Object.keys(outcomeByCodeEnding)

const splitAuditCode = (code: string): [string, string] => {
  const dotIndex = code.lastIndexOf('.')
  return [code.slice(0, dotIndex), code.slice(dotIndex + 1)]
}

export function toAuditOutcome(code: string): AuditOutcome {
  const [, end] = splitAuditCode(code)
  return outcomeByCodeEnding[end] ?? 'done'
}

/** Takes an audit code without its ending. An unknown one is returned with spaces. */
export const toVerbPhrase = (operationCode: string): string => {
  if (isOperationId(operationCode)) return getOperation(operationCode).verbPhrase
  return auditCodePhrases[operationCode] ?? operationCode.replaceAll(/[._]/g, ' ')
}

/** Returns an audit code as text: `Release a payout: applied`. */
export function formatAuditCode(code: string): string {
  const [operationCode, end] = splitAuditCode(code)
  return `${capitalizeFirst(toVerbPhrase(operationCode))}: ${end.replaceAll('_', ' ')}`
}

export const listOperationChoices = (
  operationIds: readonly string[],
): { value: string; label: string }[] =>
  [...operationIds, ...Object.keys(auditCodePhrases)]
    .map((value) => ({ value, label: capitalizeFirst(toVerbPhrase(value)) }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))
