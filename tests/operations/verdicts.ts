import type { Operation, Role } from '@/lib/operations/define'

/** The scope of a person's role: the whole platform, the account of the request, another account, or no role in the environment. */
export type Held = 'platform' | 'own' | 'other' | 'none'

/**
 * The expected result of a permission check. `either`: it depends on the requested object. `not done`: the person has no permission, but
 * may get an error about the request instead of a refusal, because Paydesk reads its own object before the check, to name it in the audit
 * row.
 */
export type Verdict = 'refused' | 'allowed' | 'not done' | 'either'

/** True if the account of a request is known from the request itself. A role in another account then gives no permission. */
const namesAccount = (definition: Operation): boolean =>
  definition.source === 'service' ? definition.scope !== 'forbidden' || definition.accountFrom === 'path' : definition.scope === 'account'

const isPlatforms = (definition: Operation): boolean =>
  definition.source === 'service' ? definition.accountFrom === 'platform' : definition.scope === 'platform'

function verdictOfLimited(definition: Operation, held: Held): Verdict {
  if (isPlatforms(definition)) return 'refused'
  if (namesAccount(definition)) return held === 'own' ? 'allowed' : 'refused'
  return 'either'
}

/** Returns the expected result for a person with one role. */
export function verdictOf(definition: Operation, role: Role, held: Held): Verdict {
  if (held === 'none') return 'refused'
  if (!definition.allow.includes(role)) return definition.source === 'desk' && definition.scope === 'object' ? 'not done' : 'refused'
  return held === 'platform' ? 'allowed' : verdictOfLimited(definition, held)
}
