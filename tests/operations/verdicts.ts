import type { Operation, Role } from '@/lib/operations/define'
import type { Integration } from '@/lib/operations/integration'

/**
 * The scope of a person's role: the whole platform, the account of the request, another account, or
 * no role in the environment.
 */
export type GrantedScope = 'platform' | 'own' | 'other' | 'none'

/**
 * The expected result of a request. `either`: the result depends on the requested object.
 * `not done`: the operation must not run, but the error may be another than a refusal, such as "not
 * found". The reason is that Paydesk reads its own object before it checks the permission, because
 * the audit row names the object.
 */
export type PermissionVerdict = 'refused' | 'allowed' | 'not done' | 'either'

/**
 * True if the operation is about objects that belong to an account in SaaS, but not in this kind of
 * integration: customers and paykeys in a marketplace, everything but the account and its limits in
 * a direct account.
 */
function isAboutPlatformObjects(definition: Operation, integration: Integration): boolean {
  if (definition.source === 'desk' || definition.accountHeader === 'forbidden') return false
  if (integration === 'account')
    return definition.accountFrom !== 'path' && !definition.configuredPath
  return integration === 'marketplace' && definition.accountHeader.marketplace === 'forbidden'
}

/** True if Paydesk knows the account from the request itself, without reading an object. */
const hasAccountInRequest = (definition: Operation): boolean =>
  definition.source === 'service'
    ? definition.accountHeader !== 'forbidden' || definition.accountFrom === 'path'
    : definition.scope === 'account'

const isPlatformOperation = (definition: Operation): boolean =>
  definition.source === 'service'
    ? definition.accountFrom === 'platform'
    : definition.scope === 'platform'

function findAccountRoleVerdict(
  definition: Operation,
  grantedScope: GrantedScope,
  integration: Integration,
): PermissionVerdict {
  if (isPlatformOperation(definition)) return 'refused'
  if (isAboutPlatformObjects(definition, integration))
    return definition.method === 'GET' ? 'either' : 'refused'
  if (hasAccountInRequest(definition)) return grantedScope === 'own' ? 'allowed' : 'refused'
  return 'either'
}

const hasNoPlatform = (definition: Operation, integration: Integration): boolean =>
  integration === 'account' && definition.source === 'service' && definition.platformOnly === true

/** Returns the expected result of an operation for a person with a single role. */
export function findExpectedVerdict(
  definition: Operation,
  role: Role,
  grantedScope: GrantedScope,
  integration: Integration,
): PermissionVerdict {
  if (grantedScope === 'none' || hasNoPlatform(definition, integration)) return 'refused'
  if (!definition.allow.includes(role))
    return definition.source === 'desk' && definition.scope === 'object' ? 'not done' : 'refused'
  return grantedScope === 'platform'
    ? 'allowed'
    : findAccountRoleVerdict(definition, grantedScope, integration)
}
