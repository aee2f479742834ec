import type { Operation, Role } from '@/lib/operations/define'

/** The place of a person's role: the whole platform, the account of the request, another account, or none in the environment. */
export type Held = 'platform' | 'own' | 'other' | 'none'

/**
 * The expected result of a permission check. `either`: the requested object decides. `not done`: an operation on an object of Paydesk's own
 * reads the object first, so that the audit row of the refusal names it. A person without the role gets a refusal, or an error about the
 * request.
 */
export type Verdict = 'refused' | 'allowed' | 'not done' | 'either'

/** True if a definition names the account of the request; then a role in another account does not count. */
const namesAccount = (definition: Operation): boolean =>
  definition.source === 'service' ? definition.scope !== 'forbidden' || definition.accountFrom === 'path' : definition.scope === 'account'

const isPlatforms = (definition: Operation): boolean =>
  definition.source === 'service' ? definition.accountFrom === 'platform' : definition.scope === 'platform'

function verdictOfLimited(definition: Operation, held: Held): Verdict {
  if (isPlatforms(definition)) return 'refused'
  if (namesAccount(definition)) return held === 'own' ? 'allowed' : 'refused'
  return 'either'
}

/** The verdict on a person with one role. */
export function verdictOf(definition: Operation, role: Role, held: Held): Verdict {
  if (held === 'none') return 'refused'
  if (!definition.allow.includes(role)) return definition.source === 'desk' && definition.scope === 'object' ? 'not done' : 'refused'
  return held === 'platform' ? 'allowed' : verdictOfLimited(definition, held)
}
