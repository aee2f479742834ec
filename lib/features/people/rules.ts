import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault, SignInMethod } from '@/lib/operations/people'

export const signInWords: Readonly<Record<SignInMethod, string>> = { password: 'password', sso: 'single sign-on' }

/** Reasons why the last single sign-on did not change the roles that come from groups. */
export const groupsFaultWords: Readonly<Record<GroupsFault, string>> = {
  not_told: 'The identity provider did not send any groups at the last sign-in.',
  elsewhere: 'At the last sign-in, the person was in more groups than the identity provider sends.',
  unreadable: 'The identity provider sent the groups in an unknown form at the last sign-in.',
}

/** A role in a scope. `accountId` null is the whole platform. `expiresAt` is in milliseconds since 1970, null if there is no end. */
export type ScopedRight = { role: Role; environment: Environment; accountId: string | null; expiresAt: number | null }

const getEndTime = ({ expiresAt }: ScopedRight) => expiresAt ?? Number.POSITIVE_INFINITY

/** True if `held` includes `wanted`: admin includes every role, the whole platform every account, and `held` must not end earlier. */
const includesRight = (held: ScopedRight, wanted: ScopedRight): boolean =>
  held.environment === wanted.environment &&
  (held.role === 'admin' || held.role === wanted.role) &&
  (held.accountId === null || held.accountId === wanted.accountId) &&
  getEndTime(held) >= getEndTime(wanted)

const scopeText = ({ environment, accountId }: ScopedRight) =>
  `${environment}${accountId ? ' for this account' : ' for the whole platform'}`

/** Returns why a person with the rights `held` cannot grant or revoke a right; null if one of their rights includes it. */
export function whyNotGrant(held: readonly ScopedRight[], wanted: ScopedRight): string | null {
  if (held.some((right) => includesRight(right, wanted))) return null
  const rightIgnoringEnd = { ...wanted, expiresAt: 0 }
  if (held.some((right) => includesRight(right, rightIgnoringEnd))) return 'You cannot grant a role for longer than you hold it.'
  return `You do not hold the role ${wanted.role} in ${scopeText(wanted)}, so you cannot grant or remove it.`
}

/** Returns why a person with the rights `held` cannot revoke a right; null if they can. The end of the rights does not matter. */
export const whyNotRevoke = (held: readonly ScopedRight[], taken: ScopedRight): string | null =>
  whyNotGrant(held, { ...taken, expiresAt: 0 })

/** A person who can sign in as platform admin in one environment. */
export type Admin = { personId: string; environment: Environment; expiresAt: number | null }

const count = (admins: readonly Admin[], environment: Environment, lasting: boolean) =>
  new Set(
    admins.filter((admin) => admin.environment === environment && (!lasting || admin.expiresAt === null)).map(({ personId }) => personId),
  ).size

/**
 * Returns why a change of the admins is not allowed; null if it is. An environment must not lose its last platform admin, nor the last one
 * whose role has no end. It does not matter if it had none before.
 */
export function whyNoAdminLeft(before: readonly Admin[], after: readonly Admin[], environments: readonly Environment[]): string | null {
  const lostEnvironment = environments.find((environment) =>
    [true, false].some((lasting) => count(before, environment, lasting) > 0 && count(after, environment, lasting) === 0),
  )
  return lostEnvironment ? `This is the last platform admin in ${lostEnvironment}. Make another person platform admin first.` : null
}
