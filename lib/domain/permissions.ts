import { type Operation, type Role, reviewRoles } from '@/lib/operations/define'

const addArticleToRole = (role: Role) => (/^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`)

/** `an operator`, `an operator or an admin`, `an operator, a reviewer or an admin`. */
export function formatRoles(roles: readonly Role[]): string {
  const roleTexts = roles.map(addArticleToRole)
  const lastRoleText = roleTexts.pop() ?? 'nobody'
  return roleTexts.length > 0 ? `${roleTexts.join(', ')} or ${lastRoleText}` : lastRoleText
}

/** Returns a sentence, or null. `allow` lists the roles that can run the operation. */
export const whyNotAllowed = (
  personRoles: readonly Role[],
  { allow, verbPhrase }: Pick<Operation, 'allow' | 'verbPhrase'>,
): string | null =>
  allow.some((role) => personRoles.includes(role))
    ? null
    : `Only ${formatRoles(allow)} can ${verbPhrase}.`

const tooFewPeopleText =
  'Two people besides the sender and the approver must agree on the outcome, and there are not two: an admin must grant the reviewer role to another person.'

export const whySenderCannotDecide = (canOthersDecide: boolean): string =>
  canOthersDecide
    ? 'You sent this action: two other people, reviewers or admins, must agree on its outcome.'
    : `You sent this action. ${tooFewPeopleText}`

export const approverCannotDecideText =
  'You approved this action: two other people, reviewers or admins, must agree on its outcome.'

export function whyNotDecideOutcome(
  personRoles: readonly Role[],
  action: {
    own: boolean
    others_can_decide: boolean | null
    proposal?: { own: boolean } | null
    approval?: { own: boolean } | null
  },
): string | null {
  if (!reviewRoles.some((role) => personRoles.includes(role)))
    return `Only ${formatRoles(reviewRoles)} can decide this.`
  if (action.own) return whySenderCannotDecide(action.others_can_decide !== false)
  if (action.approval?.own) return approverCannotDecideText
  if (action.proposal?.own)
    return 'You proposed this outcome: another reviewer or admin must confirm it.'
  return action.others_can_decide === false ? tooFewPeopleText : null
}
