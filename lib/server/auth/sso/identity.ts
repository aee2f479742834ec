import 'server-only'
import * as z from 'zod'
import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault } from '@/lib/operations/people'
import type { GroupRole } from '@/lib/server/config/sso-settings'

/** A role for the whole platform in one environment. */
export type PlatformRole = { role: Role; environment: Environment }

type Claims = Readonly<Record<string, unknown>>

/** A person as described by the identity provider. `roles` are the roles of their groups, or the reason why the groups are unknown. */
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

const text = (most: number) => z.string().trim().min(1).max(most)
const optional = <T extends z.ZodType>(type: T) => type.optional().catch(undefined)

/** The claims that Paydesk reads: what the provider states about a person. Unreadable ones count as missing, except `iss` and `sub`. */
const claims = z.object({
  iss: text(2000),
  sub: text(255),
  email: optional(z.email().max(200)),
  // Some providers send a string, not a boolean.
  email_verified: optional(z.union([z.boolean(), z.stringbool()])),
  name: optional(text(100)),
  auth_time: optional(z.coerce.number().int().positive().max(8e12)),
})

const isRecord = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value)

const getOwnProperty = (from: unknown, key: string): unknown => (isRecord(from) && Object.hasOwn(from, key) ? from[key] : undefined)

/** Returns a claim by its full name, which may contain dots, or by its path of names separated by dots. */
function readClaim(all: Claims, name: string): unknown {
  const directClaim = getOwnProperty(all, name)
  return directClaim === undefined ? name.split('.').reduce(getOwnProperty, all as unknown) : directClaim
}

/** True if the token does not contain the groups, but a reference to them, as some providers send for people in many groups. */
const hasGroupsElsewhere = (all: Claims, name: string) =>
  getOwnProperty(getOwnProperty(all, '_claim_names'), name) !== undefined || getOwnProperty(all, 'hasgroups') !== undefined

/** Returns the groups in a claim, which is a string or a list of strings. Returns the reason if there are none. */
function readGroups(all: Claims, name: string): ReadonlySet<string> | GroupsFault {
  const value = readClaim(all, name)
  if (value === undefined || value === null) return hasGroupsElsewhere(all, name) ? 'elsewhere' : 'not_told'
  if (typeof value !== 'string' && !Array.isArray(value)) return 'unreadable'
  return new Set([value].flat().filter((each): each is string => typeof each === 'string'))
}

export function toPlatformRoles(groups: ReadonlySet<string>, groupRoles: readonly GroupRole[]): PlatformRole[] {
  const platformRoles = groupRoles
    .filter(({ group }) => groups.has(group))
    .flatMap(({ role, environments: where }) => where.map((environment) => ({ role, environment })))
  return [...new Map(platformRoles.map((each) => [`${each.role} ${each.environment}`, each])).values()]
}

/** Claims that are read only from the signed token, never from the user info. */
const tokenOnlyClaims = ['iss', 'sub', 'auth_time']

/**
 * Merges the claims of the signed token and of the user info endpoint. A claim of the token wins. `email_verified` is taken only from the
 * source of the email address. Throws if the two have different `sub`.
 */
export function mergeClaims(token: Claims, info: Claims | null): Claims {
  if (!info) return token
  if (info.sub !== token.sub) throw new Error('the user info is of another person')
  const infoClaims = Object.fromEntries(Object.entries(info).filter(([name]) => !tokenOnlyClaims.includes(name)))
  return { ...infoClaims, ...token, email_verified: ('email' in token ? token : info).email_verified }
}

/** Parses the claims of a person who signed in at the identity provider. Throws if they do not identify the person. */
export function parseIdentity(all: Claims, { rolesClaim, roles }: { rolesClaim: string; roles: readonly GroupRole[] }): Identity {
  const parsedClaims = claims.parse(all)
  const groups = roles.length === 0 ? new Set<string>() : readGroups(all, rolesClaim)
  return {
    issuer: parsedClaims.iss,
    subject: parsedClaims.sub,
    email: parsedClaims.email && parsedClaims.email_verified === true ? parsedClaims.email : null,
    name: parsedClaims.name ?? null,
    roles: typeof groups === 'string' ? groups : toPlatformRoles(groups, roles),
    authenticatedAt: parsedClaims.auth_time === undefined ? null : new Date(parsedClaims.auth_time * 1000),
  }
}
