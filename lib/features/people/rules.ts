import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault, SignInMethod } from '@/lib/operations/people'

export const signInMethodLabels: Readonly<Record<SignInMethod, string>> = {
  password: 'password',
  sso: 'single sign-on',
}

/** Follow "Signs in with". */
export const signInMethodTexts: Readonly<Record<SignInMethod, string>> = {
  ...signInMethodLabels,
  password: 'a password',
}

/** Why the last single sign-on did not update the roles from groups of the identity provider. */
export const groupsFaultTexts: Readonly<Record<GroupsFault, string>> = {
  not_told: 'The identity provider did not send any groups at the last sign-in.',
  elsewhere: 'At the last sign-in, the person was in more groups than the identity provider sends.',
  unreadable: 'The identity provider sent the groups in an unknown form at the last sign-in.',
}

/** `accountId` null is the whole platform. `expiresAt`: milliseconds; null if there is no end. */
export type ScopedRight = {
  role: Role
  environment: Environment
  accountId: string | null
  expiresAt: number | null
}

const getEndTime = ({ expiresAt }: ScopedRight) => expiresAt ?? Number.POSITIVE_INFINITY

const isRightIncluded = (held: ScopedRight, wanted: ScopedRight): boolean =>
  held.environment === wanted.environment &&
  (held.role === 'admin' || held.role === wanted.role) &&
  (held.accountId === null || held.accountId === wanted.accountId) &&
  getEndTime(held) >= getEndTime(wanted)

const formatRightScope = ({ environment, accountId }: ScopedRight) =>
  `${environment}${accountId ? ' for this account' : ' for the whole platform'}`

export function whyNotGrant(held: readonly ScopedRight[], wanted: ScopedRight): string | null {
  if (held.some((right) => isRightIncluded(right, wanted))) return null
  const rightIgnoringEnd = { ...wanted, expiresAt: 0 }
  if (held.some((right) => isRightIncluded(right, rightIgnoringEnd)))
    return 'You cannot grant a role for longer than you hold it.'
  return `You do not hold the role ${wanted.role} in ${formatRightScope(wanted)}, so you cannot grant or remove it.`
}

/** Ignores the end dates: an admin can also remove a right that lasts longer than their own. */
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
 * An environment must not lose its last platform admin, nor the last one without an end date. An
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
