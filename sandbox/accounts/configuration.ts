import { forbidden, invalidField, unprocessable } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Account, Configuration } from './account'

export function getConfiguration({ accounts }: Sandbox, account: number): Configuration {
  const entry = accounts.at(account)
  if (!entry) throw new RangeError(`no account ${account}`)
  return entry.secret.configuration
}

export function requireConfigFlag(sandbox: Sandbox, account: number, name: keyof Configuration): void {
  if (!getConfiguration(sandbox, account)[name]) throw forbidden(`The account may not do this: ${name} is off in its settings.`)
}

const endedStatuses: readonly Account['status'][] = ['rejected', 'inactive']

/**
 * Throws a 422 if the account was rejected or deactivated; `action` completes the error text. An account before onboarding passes, because a
 * platform prepares it first (provider-facts 3.4). Throws RangeError for an unknown account.
 */
export function requireOpenAccount({ accounts }: Sandbox, account: number, action: string): void {
  const status = accounts.at(account)?.doc.status
  if (status === undefined) throw new RangeError(`no account ${account}`)
  if (endedStatuses.includes(status)) throw unprocessable(`An account in status ${status} cannot ${action}.`)
}

/**
 * Throws a 422 if a production request forces a test outcome, that is, any but `standard`. Only the sandbox environment simulates outcomes.
 */
export function requireNoForcedOutcome({ environment }: Sandbox, outcome: string | null | undefined): void {
  if (environment !== 'production' || (outcome ?? 'standard') === 'standard') return
  const sentence = 'An outcome can be chosen in the sandbox environment only.'
  throw invalidField(sentence, 'config.sandbox_outcome', 'must be left out in production')
}
