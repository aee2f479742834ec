import { capabilityGroups, reasonText } from '@/lib/domain/account-labels'
import { isKnownStatus, statusWords, whyUnknownState } from '@/lib/domain/status'
import type { Account } from '@/lib/operations/accounts.schema'

/** The stages an account can be simulated into (interface document, `POST /v1/accounts/{account_id}/simulate`). */
export const simulatedStages = ['onboarding', 'active'] as const

export type SimulatedStage = (typeof simulatedStages)[number]

/** Stages each simulation may start from; no simulation goes back. */
export const simulatesFrom: Record<SimulatedStage, readonly string[]> = { onboarding: ['created'], active: ['created', 'onboarding'] }

/** Returns why an account cannot be simulated into a stage, as a sentence; null if it can. */
export function whyNotSimulate(stage: SimulatedStage, status: string): string | null {
  if (simulatesFrom[stage].includes(status)) return null
  const words = statusWords('account', status).label.toLowerCase()
  if (!isKnownStatus('account', status)) return whyUnknownState(status)
  return status === stage ? `This account is already ${words}.` : `This account is ${words}: no simulation leads from there to ${stage}.`
}

/** Stages of onboarding, for a stepper. An account that ended elsewhere is in none of them. */
export const stages = ['created', 'onboarding', 'active'] as const

/** One difference between two reads of an account, in words. */
type AccountChange = { what: string; before: string; after: string }

const linesOf = (account: Account): [string, string][] => [
  ['Status', statusWords('account', account.status).label],
  ['Reason', reasonText(account.status_detail?.reason)],
  ['Message', account.status_detail?.message ?? ''],
  ...capabilityGroups(account).flatMap((group) =>
    group.leaves.map((leaf): [string, string] => [`${group.name}, ${leaf.name.toLowerCase()}`, leaf.state ?? 'not known']),
  ),
]

/** Returns the differences between two reads: status, its reason and message, and every capability. */
export function accountChanges(before: Account, after: Account): AccountChange[] {
  const later = new Map(linesOf(after))
  return linesOf(before).flatMap(([what, was]) => {
    const is = later.get(what) ?? ''
    return was === is ? [] : [{ what, before: was, after: is }]
  })
}

/** A sandbox scenario: stages to simulate one after another. */
type AccountRecipe = {
  name: string
  /** The result, and its use in tests. */
  meaning: string
  stages: readonly SimulatedStage[]
}

/**
 * The scenarios. `active` is reached through `onboarding`, so that everything that happens in onboarding also happens here. No simulation
 * leads to `stuck`, because the service's compliance decides it.
 */
export const accountRecipes: readonly AccountRecipe[] = [
  {
    name: 'Active account with limits',
    meaning: 'Submitted and verified, with its representatives and bank accounts. Payments over its limits go on hold.',
    stages: ['onboarding', 'active'],
  },
  {
    name: 'Account stuck unverified',
    meaning: 'Submitted, awaiting decision. “Simulate active” completes the verification.',
    stages: ['onboarding'],
  },
]

/** Returns the stages of a recipe after the account's status; all of them if the recipe does not contain that status. */
export const stagesLeft = ({ stages }: AccountRecipe, status: string): readonly SimulatedStage[] =>
  stages.slice((stages as readonly string[]).indexOf(status) + 1)

/** Returns why a recipe cannot run on an account in this status, as a sentence; null if it can. */
export function whyNotPlay(recipe: AccountRecipe, status: string): string | null {
  const [next] = stagesLeft(recipe, status)
  if (next) return whyNotSimulate(next, status)
  return `This account is already ${statusWords('account', status).label.toLowerCase()}.`
}
