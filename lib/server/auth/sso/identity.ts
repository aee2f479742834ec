import 'server-only'
import * as z from 'zod'
import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault } from '@/lib/operations/people'
import type { GroupRole } from '@/lib/server/config/sso-settings'

export type PlatformRole = { role: Role; environment: Environment }

type Claims = Readonly<Record<string, unknown>>

/** `roles` are the roles of the person's groups, or the reason why the groups are unknown. */
export type Identity = {
  issuer: string
  subject: string
  /** Null unless the provider reports the email address as verified. */
  email: string | null
  name: string | null
  roles: readonly PlatformRole[] | GroupsFault
  /** Time when the provider last authenticated the person; null if it does not report it. */
  authenticatedAt: Date | null
}

const createTextShape = (maxLength: number) => z.string().trim().min(1).max(maxLength)
const toOptionalShape = <T extends z.ZodType>(type: T) => type.optional().catch(undefined)

/** An unreadable claim counts as missing, except that `iss` and `sub` are required. */
const claimsShape = z.object({
  iss: createTextShape(2000),
  sub: createTextShape(255),
  email: toOptionalShape(z.email().max(200)),
  // Some providers send this boolean as a string.
  email_verified: toOptionalShape(z.union([z.boolean(), z.stringbool()])),
  name: toOptionalShape(createTextShape(100)),
  auth_time: toOptionalShape(z.coerce.number().int().positive().max(8e12)),
})

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const getOwnProperty = (from: unknown, key: string): unknown =>
  isRecord(from) && Object.hasOwn(from, key) ? from[key] : undefined

/** `claimName` is a full name, which may contain dots, or a path of names separated by dots. */
function readClaim(personClaims: Claims, claimName: string): unknown {
  const directClaim = getOwnProperty(personClaims, claimName)
  return directClaim === undefined
    ? claimName.split('.').reduce(getOwnProperty, personClaims as unknown)
    : directClaim
}

/** Some providers send a reference instead of the groups for people in many groups. */
const hasGroupsElsewhere = (personClaims: Claims, claimName: string) =>
  getOwnProperty(getOwnProperty(personClaims, '_claim_names'), claimName) !== undefined ||
  getOwnProperty(personClaims, 'hasgroups') !== undefined

/** The claim is a string or a list of strings. If it is not readable, returns the reason. */
function readGroups(personClaims: Claims, claimName: string): ReadonlySet<string> | GroupsFault {
  const groupsClaim = readClaim(personClaims, claimName)
  if (groupsClaim === undefined || groupsClaim === null)
    return hasGroupsElsewhere(personClaims, claimName) ? 'elsewhere' : 'not_told'
  if (typeof groupsClaim !== 'string' && !Array.isArray(groupsClaim)) return 'unreadable'
  return new Set([groupsClaim].flat().filter((each): each is string => typeof each === 'string'))
}

export function toPlatformRoles(
  groups: ReadonlySet<string>,
  groupRoles: readonly GroupRole[],
): PlatformRole[] {
  const platformRoles = groupRoles
    .filter(({ group }) => groups.has(group))
    .flatMap(({ role, environments: where }) => where.map((environment) => ({ role, environment })))
  return [
    ...new Map(platformRoles.map((each) => [`${each.role} ${each.environment}`, each])).values(),
  ]
}

/** The user info is not signed, so it must not set these claims. */
const tokenOnlyClaims = ['iss', 'sub', 'auth_time']

/**
 * If the token and the user info both contain a claim, the token's is used. `email_verified` always
 * comes from the source of the email address. Throws if their `sub` differ.
 */
export function mergeClaims(tokenClaims: Claims, userInfo: Claims | null): Claims {
  if (!userInfo) return tokenClaims
  if (userInfo.sub !== tokenClaims.sub) throw new Error('the user info is of another person')
  const infoClaims = Object.fromEntries(
    Object.entries(userInfo).filter(([name]) => !tokenOnlyClaims.includes(name)),
  )
  return {
    ...infoClaims,
    ...tokenClaims,
    email_verified: ('email' in tokenClaims ? tokenClaims : userInfo).email_verified,
  }
}

/** Throws if `iss` or `sub` is missing or invalid. */
export function parseIdentity(
  personClaims: Claims,
  { rolesClaim, roles }: { rolesClaim: string; roles: readonly GroupRole[] },
): Identity {
  const parsedClaims = claimsShape.parse(personClaims)
  const claimedGroups =
    roles.length === 0 ? new Set<string>() : readGroups(personClaims, rolesClaim)
  return {
    issuer: parsedClaims.iss,
    subject: parsedClaims.sub,
    email: parsedClaims.email && parsedClaims.email_verified === true ? parsedClaims.email : null,
    name: parsedClaims.name ?? null,
    roles:
      typeof claimedGroups === 'string' ? claimedGroups : toPlatformRoles(claimedGroups, roles),
    authenticatedAt:
      parsedClaims.auth_time === undefined ? null : new Date(parsedClaims.auth_time * 1000),
  }
}
