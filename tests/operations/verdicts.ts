import type { Operation, Role } from '@/lib/operations/define'

/** The scope of a person's role: the whole platform, the account of the request, another account, or no role in the environment. */
export type GrantedScope = 'platform' | 'own' | 'other' | 'none'

/**
 * The expected result of a permission check. `either`: it depends on the requested object. `not done`: the person has no permission, but
 * may get an error about the request instead of a refusal, because Paydesk reads its own object before the check, to name it in the audit
 * row.
 */
export type Verdict = 'refused' | 'allowed' | 'not done' | 'either'

/** True if the account of a request is known from the request itself. A role in another account then gives no permission. */
const hasKnownAccount = (definition: Operation): boolean =>
  definition.source === 'service' ? definition.scope !== 'forbidden' || definition.accountFrom === 'path' : definition.scope === 'account'

const isPlatformOperation = (definition: Operation): boolean =>
  definition.source === 'service' ? definition.accountFrom === 'platform' : definition.scope === 'platform'

function findLimitedVerdict(definition: Operation, grantedScope: GrantedScope): Verdict {
  if (isPlatformOperation(definition)) return 'refused'
  if (hasKnownAccount(definition)) return grantedScope === 'own' ? 'allowed' : 'refused'
  return 'either'
}

/** Returns the expected result for a person with one role. */
export function findExpectedVerdict(definition: Operation, role: Role, grantedScope: GrantedScope): Verdict {
  if (grantedScope === 'none') return 'refused'
  if (!definition.allow.includes(role)) return definition.source === 'desk' && definition.scope === 'object' ? 'not done' : 'refused'
  return grantedScope === 'platform' ? 'allowed' : findLimitedVerdict(definition, grantedScope)
}
