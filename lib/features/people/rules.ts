import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault, SignInMethod } from '@/lib/operations/people'

export const signInMethodLabels: Readonly<Record<SignInMethod, string>> = {
  password: 'password',
  sso: 'single sign-on',
}

/**
 * Reasons why the person's last single sign-on did not update the roles that come from groups of
 * the identity provider.
 */
export const groupsFaultTexts: Readonly<Record<GroupsFault, string>> = {
  not_told: 'The identity provider did not send any groups at the last sign-in.',
  elsewhere: 'At the last sign-in, the person was in more groups than the identity provider sends.',
  unreadable: 'The identity provider sent the groups in an unknown form at the last sign-in.',
}

/**
 * A role in a scope. `accountId` null is the whole platform. `expiresAt` is in milliseconds since
 * 1970, null if there is no end.
 */
export type ScopedRight = {
  role: Role
  environment: Environment
  accountId: string | null
  expiresAt: number | null
}

const getEndTime = ({ expiresAt }: ScopedRight) => expiresAt ?? Number.POSITIVE_INFINITY

/**
 * True if the right `held` includes the right `wanted`. Admin includes every role, and the whole
 * platform includes every account. `held` must not end before `wanted`.
 */
const includesRight = (held: ScopedRight, wanted: ScopedRight): boolean =>
  held.environment === wanted.environment &&
  (held.role === 'admin' || held.role === wanted.role) &&
  (held.accountId === null || held.accountId === wanted.accountId) &&
  getEndTime(held) >= getEndTime(wanted)

const scopeText = ({ environment, accountId }: ScopedRight) =>
  `${environment}${accountId ? ' for this account' : ' for the whole platform'}`

/**
 * Returns why a person with the rights `held` cannot grant or revoke a right; null if one of their
 * rights includes it.
 */
export function whyNotGrant(held: readonly ScopedRight[], wanted: ScopedRight): string | null {
  if (held.some((right) => includesRight(right, wanted))) return null
  const rightIgnoringEnd = { ...wanted, expiresAt: 0 }
  if (held.some((right) => includesRight(right, rightIgnoringEnd)))
    return 'You cannot grant a role for longer than you hold it.'
  return `You do not hold the role ${wanted.role} in ${scopeText(wanted)}, so you cannot grant or remove it.`
}

/**
 * Returns why a person with the rights `held` cannot revoke a right; null if they can. The end
 * dates of the rights are ignored.
 */
export const whyNotRevoke = (held: readonly ScopedRight[], taken: ScopedRight): string | null =>
  whyNotGrant(held, { ...taken, expiresAt: 0 })

/** A person who can sign in as platform admin in one environment. */
export type PlatformAdmin = { personId: string; environment: Environment; expiresAt: number | null }

const countAdmins = (
  admins: readonly PlatformAdmin[],
  environment: Environment,
  onlyPermanent: boolean,
) =>
  new Set(
    admins
      .filter(
        (admin) =>
          admin.environment === environment && (!onlyPermanent || admin.expiresAt === null),
      )
      .map(({ personId }) => personId),
  ).size

/**
 * Returns why a change of the admins is not allowed; null if it is allowed. An environment must not
 * lose its last platform admin, nor the last platform admin whose role has no end date. An
 * environment that had none before may still have none.
 */
export function whyNoAdminLeft(
  before: readonly PlatformAdmin[],
  after: readonly PlatformAdmin[],
  environments: readonly Environment[],
): string | null {
  const lostEnvironment = environments.find((environment) =>
    [true, false].some(
      (lasting) =>
        countAdmins(before, environment, lasting) > 0 &&
        countAdmins(after, environment, lasting) === 0,
    ),
  )
  return lostEnvironment
    ? `This is the last platform admin in ${lostEnvironment}. Make another person platform admin first.`
    : null
}
