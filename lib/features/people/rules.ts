import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault, SignInWay } from '@/lib/operations/people'

/** How people sign in, in words. */
export const wayWords: Readonly<Record<SignInWay, string>> = { password: 'password', sso: 'single sign-on' }

/** Why the last single sign-on left the roles of groups as they were, in words. */
export const groupsFaultWords: Readonly<Record<GroupsFault, string>> = {
  not_told: 'The identity provider did not send any groups at the last sign-in.',
  elsewhere: 'At the last sign-in, the person was in more groups than the identity provider sends.',
  unreadable: 'The identity provider sent the groups in an unknown form at the last sign-in.',
}

/** A right as rules see it: `accountId` null is the whole platform, `expiresAt` null has no end. Milliseconds since 1970. */
export type Right = { role: Role; environment: Environment; accountId: string | null; expiresAt: number | null }

const ends = ({ expiresAt }: Right) => expiresAt ?? Number.POSITIVE_INFINITY

/** Whether a right is held by who holds another one: an admin has what every role has, the whole platform has every account, and nothing outlasts what it is from. */
const covers = (held: Right, wanted: Right): boolean =>
  held.environment === wanted.environment &&
  (held.role === 'admin' || held.role === wanted.role) &&
  (held.accountId === null || held.accountId === wanted.accountId) &&
  ends(held) >= ends(wanted)

const where = ({ environment, accountId }: Right) => `${environment}${accountId ? ' for this account' : ' for the whole platform'}`

/** Why somebody cannot grant this right, or take it away; null where they hold it as far and as long. */
export function whyNotGrant(held: readonly Right[], wanted: Right): string | null {
  if (held.some((right) => covers(right, wanted))) return null
  const timeless = { ...wanted, expiresAt: 0 }
  if (held.some((right) => covers(right, timeless))) return 'You cannot grant a role for longer than you hold it.'
  return `You do not hold the role ${wanted.role} in ${where(wanted)}, so you cannot grant or remove it.`
}

/** Why somebody cannot take this right away; for how long it holds does not matter. */
export const whyNotTake = (held: readonly Right[], taken: Right): string | null => whyNotGrant(held, { ...taken, expiresAt: 0 })

/** A platform admin who may sign in, in one environment. */
export type Admin = { personId: string; environment: Environment; expiresAt: number | null }

const count = (admins: readonly Admin[], environment: Environment, lasting: boolean) =>
  new Set(
    admins.filter((admin) => admin.environment === environment && (!lasting || admin.expiresAt === null)).map(({ personId }) => personId),
  ).size

/**
 * Why a change cannot be: an environment would lose its last platform admin, or the last one whose role has no end. Environments that had none are no
 * matter.
 */
export function whyNoAdminLeft(before: readonly Admin[], after: readonly Admin[], environments: readonly Environment[]): string | null {
  const lost = environments.find((environment) =>
    [true, false].some((lasting) => count(before, environment, lasting) > 0 && count(after, environment, lasting) === 0),
  )
  return lost ? `This is the last platform admin in ${lost}. Make another person platform admin first.` : null
}
