import {
  makeForbiddenProblem,
  makeInvalidFieldProblem,
  makeUnprocessableProblem,
} from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Account, AccountConfiguration } from './account'
import { getAccount, getOwnerConfiguration } from './owner'

export function requireConfigFlag(
  sandbox: Sandbox,
  owner: number | null,
  name: keyof AccountConfiguration,
): void {
  if (!getOwnerConfiguration(sandbox, owner)[name])
    throw makeForbiddenProblem(`The account may not do this: ${name} is off in its settings.`)
}

const endedStatuses: readonly Account['status'][] = ['rejected', 'inactive']

/**
 * Throws a 422 if the account was rejected or deactivated. `action` ends the error text, such as
 * "link bank accounts". An account before onboarding passes, because a platform may already add
 * customers and bank accounts to it (provider-facts 3.4). The platform itself (null) passes too.
 * Throws RangeError for an unknown account.
 */
export function requireOpenOwner(sandbox: Sandbox, owner: number | null, action: string): void {
  if (owner === null) return
  const { status } = getAccount(sandbox, owner).doc
  if (endedStatuses.includes(status))
    throw makeUnprocessableProblem(`An account in status ${status} cannot ${action}.`)
}

/** Throws a 422. Only the sandbox environment lets a request choose a verification's result. */
export function requireNoForcedOutcome(
  { environment }: Sandbox,
  outcome: string | null | undefined,
): void {
  if (environment !== 'production' || (outcome ?? 'standard') === 'standard') return
  const problemDetail = 'An outcome can be chosen in the sandbox environment only.'
  throw makeInvalidFieldProblem(
    problemDetail,
    'config.sandbox_outcome',
    'must be left out in production',
  )
}
