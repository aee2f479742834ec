import 'server-only'
import * as z from 'zod'
import { type Environment, environments, type Role, roles } from '@/lib/operations/define'
import { loopbackHostnames } from './setting-forms'

const discoveryPath = '/.well-known/openid-configuration'

/**
 * The discovery document lists the provider's endpoints. It is trusted, so its address must use
 * https or be on this machine.
 */
const discoveryUrlShape = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false
    const { protocol, hostname, pathname, search, hash, username, password } = new URL(text)
    const isHttpsOrLoopback =
      protocol === 'https:' || (protocol === 'http:' && loopbackHostnames.has(hostname))
    return (
      isHttpsOrLoopback &&
      pathname.endsWith(discoveryPath) &&
      [search, hash, username, password].every((part) => part === '')
    )
  },
  {
    error: `must be the https: address of the provider's discovery document, ending in ${discoveryPath}`,
  },
)

/** `group` is a group of the identity provider. */
export type GroupRole = { group: string; role: Role; environments: readonly Environment[] }

const groupRolePattern = new RegExp(
  `^(.{1,200})=\\s*(${roles.join('|')})(?:@(${environments.join('|')}))?$`,
)

function parseGroupRole(text: string): GroupRole | null {
  const [, group, role, environment] = groupRolePattern.exec(text) ?? []
  if (!group || !role) return null
  const roleEnvironments = environments.filter(
    (name) => environment === undefined || name === environment,
  )
  return { group: group.trim(), role: role as Role, environments: roleEnvironments }
}

/**
 * Pairs are separated by semicolons, and each pair is split at its last equals sign, because group
 * names can contain commas and equals signs.
 */
const groupRolesShape = z
  .string()
  .default('')
  .transform((text, context): GroupRole[] => {
    const groupRoleTexts = text.split(';').flatMap((part) => part.trim() || [])
    const parsedGroupRoles = groupRoleTexts.map(parseGroupRole)
    if (parsedGroupRoles.every((each) => each !== null)) return parsedGroupRoles
    const groupRolesExample = 'payments-team=operator; payments-leads=admin@sandbox'
    context.addIssue({
      code: 'custom',
      message: `must be pairs of a group and one of ${roles.join(', ')}, like ${groupRolesExample}`,
    })
    return z.NEVER
  })

const oidcScopeShape = z
  .string()
  .regex(
    /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'must be words with single spaces between them',
  )
  .refine((text) => text.split(' ').includes('openid'), 'must hold openid')

export const ssoShape = z.object({
  OIDC_DISCOVERY_URL: discoveryUrlShape.optional(),
  OIDC_CLIENT_ID: z.string().max(300, 'must be at most 300 characters').optional(),
  OIDC_CLIENT_SECRET: z.string().max(4096, 'must be at most 4096 characters').optional(),
  OIDC_NAME: z.string().max(40, 'must be at most 40 characters').default('single sign-on'),
  OIDC_SCOPE: oidcScopeShape.default('openid email profile'),
  OIDC_ROLES_CLAIM: z.string().max(200, 'must be at most 200 characters').default('groups'),
  OIDC_ROLES: groupRolesShape,
  OIDC_ID_TOKEN_ALG: z
    .enum(['RS256', 'PS256', 'ES256', 'EdDSA'], 'must be RS256, PS256, ES256 or EdDSA')
    .default('RS256'),
})

type SsoVariables = z.output<typeof ssoShape>

const requiredVariables = ['OIDC_DISCOVERY_URL', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

/** If one of `requiredVariables` or OIDC_ROLES is set, all of `requiredVariables` must be set. */
export function checkSsoVariables(
  value: SsoVariables,
  context: z.core.$RefinementCtx<SsoVariables>,
): void {
  const missingVariables = requiredVariables.filter((name) => value[name] === undefined)
  if (missingVariables.length === requiredVariables.length && value.OIDC_ROLES.length === 0) return
  for (const name of missingVariables)
    context.addIssue({
      code: 'custom',
      path: [name],
      message: `must be set as well: it takes ${requiredVariables.join(', ')}`,
    })
}

/** `name` is the label of the sign-in button. */
export type SsoSettings = {
  discoveryUrl: string
  clientId: string
  clientSecret: string
  name: string
  scope: string
  rolesClaim: string
  roles: readonly GroupRole[]
  idTokenAlg: SsoVariables['OIDC_ID_TOKEN_ALG']
}

export function toSsoSettings(value: SsoVariables): SsoSettings | null {
  const {
    OIDC_DISCOVERY_URL: url,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = value
  if (!url || !clientId || !clientSecret) return null
  return {
    discoveryUrl: url,
    clientId,
    clientSecret,
    name: value.OIDC_NAME,
    scope: value.OIDC_SCOPE,
    rolesClaim: value.OIDC_ROLES_CLAIM,
    roles: value.OIDC_ROLES,
    idTokenAlg: value.OIDC_ID_TOKEN_ALG,
  }
}
