import { reasonText, toCapabilityGroups } from '@/lib/domain/account-labels'
import { isKnownStatus, statusWords, whyUnknownState } from '@/lib/domain/status'
import type { Account } from '@/lib/operations/accounts.schema'

/** The stages to which a simulation can move an account (interface document, `POST /v1/accounts/{account_id}/simulate`). */
export const simulatedStages = ['onboarding', 'active'] as const

export type SimulatedStage = (typeof simulatedStages)[number]

/** The stages from which each simulation can start. No simulation moves an account back. */
export const simulatableStates: Record<SimulatedStage, readonly string[]> = { onboarding: ['created'], active: ['created', 'onboarding'] }

/** Returns why a simulation cannot move an account to a stage, as a sentence; null if it can. */
export function whyNotSimulate(stage: SimulatedStage, status: string): string | null {
  if (simulatableStates[stage].includes(status)) return null
  const words = statusWords('account', status).label.toLowerCase()
  if (!isKnownStatus('account', status)) return whyUnknownState(status)
  return status === stage ? `This account is already ${words}.` : `This account is ${words}: no simulation leads from there to ${stage}.`
}

/** The stages of onboarding, for a stepper. A rejected or inactive account is in none of them. */
export const onboardingStages = ['created', 'onboarding', 'active'] as const

/** One difference between two reads of an account, in words. */
type AccountChange = { what: string; before: string; after: string }

const toAccountLines = (account: Account): [string, string][] => [
  ['Status', statusWords('account', account.status).label],
  ['Reason', reasonText(account.status_detail?.reason)],
  ['Message', account.status_detail?.message ?? ''],
  ...toCapabilityGroups(account).flatMap((group) =>
    group.leaves.map((leaf): [string, string] => [`${group.name}, ${leaf.name.toLowerCase()}`, leaf.state ?? 'not known']),
  ),
]

/** Returns the differences between two reads: status, its reason and message, and every capability. */
export function listAccountChanges(before: Account, after: Account): AccountChange[] {
  const newTexts = new Map(toAccountLines(after))
  return toAccountLines(before).flatMap(([what, was]) => {
    const newText = newTexts.get(what) ?? ''
    return was === newText ? [] : [{ what, before: was, after: newText }]
  })
}

/** A sandbox scenario: the stages to simulate, in order. */
type AccountRecipe = {
  name: string
  /** The state that the scenario leads to, and its use in tests. */
  meaning: string
  stages: readonly SimulatedStage[]
}

/**
 * The scenarios. They reach `active` through `onboarding`, so that the account also passes through everything that happens there. No
 * simulation leads to `stuck`, because the service's compliance team decides it.
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

/** Returns the stages of a scenario after the account's current status; all stages if the scenario does not contain that status. */
export const listRemainingStages = ({ stages }: AccountRecipe, status: string): readonly SimulatedStage[] =>
  stages.slice((stages as readonly string[]).indexOf(status) + 1)

/** Returns why a scenario cannot run on an account with this status, as a sentence; null if it can. */
export function whyNotRunRecipe(recipe: AccountRecipe, status: string): string | null {
  const [nextStage] = listRemainingStages(recipe, status)
  if (nextStage) return whyNotSimulate(nextStage, status)
  return `This account is already ${statusWords('account', status).label.toLowerCase()}.`
}
