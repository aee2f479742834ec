import type { Account } from '@/lib/operations/accounts.schema'
import { capabilityGroups, reasonText } from './account-words'
import { isKnownStatus, statusWords } from './status'

/** The stages an account can be simulated into (interface document, `POST /v1/accounts/{account_id}/simulate`). */
export const simulatedStages = ['onboarding', 'active'] as const

/** One of the two. */
export type SimulatedStage = (typeof simulatedStages)[number]

/** The stages each simulation may start from; the service has none that goes back. */
export const simulatesFrom: Record<SimulatedStage, readonly string[]> = { onboarding: ['created'], active: ['created', 'onboarding'] }

/** Why an account cannot be simulated into a stage, as a sentence; null where it can. */
export function whyNotSimulate(stage: SimulatedStage, status: string): string | null {
  if (simulatesFrom[stage].includes(status)) return null
  const words = statusWords('account', status).label.toLowerCase()
  if (!isKnownStatus('account', status)) return `The service reports “${status}”, a state Paydesk does not know, so it does not offer this.`
  return status === stage ? `It is ${words} already.` : `It is ${words}, and no simulation leads from there to ${stage}.`
}

/** The stages of the way in, for a stepper. An account that ended elsewhere stands on none of them. */
export const stages = ['created', 'onboarding', 'active'] as const

/** One line of what changed between two readings of an account, in words. */
export type AccountChange = { what: string; before: string; after: string }

const linesOf = (account: Account): [string, string][] => [
  ['Status', statusWords('account', account.status).label],
  ['Reason', reasonText(account.status_detail?.reason)],
  ['Message', account.status_detail?.message ?? ''],
  ...capabilityGroups(account).flatMap((group) =>
    group.leaves.map((leaf): [string, string] => [`${group.name}, ${leaf.name.toLowerCase()}`, leaf.state ?? 'not known']),
  ),
]

/** What a step changed: status, its reason and message, and every capability. Empty where nothing did. */
export function accountChanges(before: Account, after: Account): AccountChange[] {
  const later = new Map(linesOf(after))
  return linesOf(before).flatMap(([what, was]) => {
    const is = later.get(what) ?? ''
    return was === is ? [] : [{ what, before: was, after: is }]
  })
}
