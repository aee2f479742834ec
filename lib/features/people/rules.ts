import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault, SignInWay } from '@/lib/operations/people'

/** Sign-in methods in words. */
export const wayWords: Readonly<Record<SignInWay, string>> = { password: 'password', sso: 'single sign-on' }

/** Reasons why the last single sign-on did not change the roles that come from groups. */
export const groupsFaultWords: Readonly<Record<GroupsFault, string>> = {
  not_told: 'The identity provider did not send any groups at the last sign-in.',
  elsewhere: 'At the last sign-in, the person was in more groups than the identity provider sends.',
  unreadable: 'The identity provider sent the groups in an unknown form at the last sign-in.',
}

/** A right. `accountId` null is the whole platform. `expiresAt` is milliseconds since 1970; null has no end. */
export type Right = { role: Role; environment: Environment; accountId: string | null; expiresAt: number | null }

const ends = ({ expiresAt }: Right) => expiresAt ?? Number.POSITIVE_INFINITY

/** True if one right includes another: admin includes every role, the whole platform every account, and it must not end earlier. */
const covers = (held: Right, wanted: Right): boolean =>
  held.environment === wanted.environment &&
  (held.role === 'admin' || held.role === wanted.role) &&
  (held.accountId === null || held.accountId === wanted.accountId) &&
  ends(held) >= ends(wanted)

const where = ({ environment, accountId }: Right) => `${environment}${accountId ? ' for this account' : ' for the whole platform'}`

/** Returns why a person cannot grant or revoke this right; null if they hold it with the same scope and at least as long. */
export function whyNotGrant(held: readonly Right[], wanted: Right): string | null {
  if (held.some((right) => covers(right, wanted))) return null
  const timeless = { ...wanted, expiresAt: 0 }
  if (held.some((right) => covers(right, timeless))) return 'You cannot grant a role for longer than you hold it.'
  return `You do not hold the role ${wanted.role} in ${where(wanted)}, so you cannot grant or remove it.`
}

/** Returns why a person cannot revoke this right. Its end date does not matter. */
export const whyNotTake = (held: readonly Right[], taken: Right): string | null => whyNotGrant(held, { ...taken, expiresAt: 0 })

/** A platform admin who may sign in, in one environment. */
export type Admin = { personId: string; environment: Environment; expiresAt: number | null }

const count = (admins: readonly Admin[], environment: Environment, lasting: boolean) =>
  new Set(
    admins.filter((admin) => admin.environment === environment && (!lasting || admin.expiresAt === null)).map(({ personId }) => personId),
  ).size

/**
 * Returns why a change is not allowed: an environment would lose its last platform admin, or the last one whose role has no end. An
 * environment that had none before does not count.
 */
export function whyNoAdminLeft(before: readonly Admin[], after: readonly Admin[], environments: readonly Environment[]): string | null {
  const lost = environments.find((environment) =>
    [true, false].some((lasting) => count(before, environment, lasting) > 0 && count(after, environment, lasting) === 0),
  )
  return lost ? `This is the last platform admin in ${lost}. Make another person platform admin first.` : null
}
