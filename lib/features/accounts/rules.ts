import { reasonText, toCapabilityGroups } from '@/lib/domain/account-labels'
import { isKnownStatus, statusWords, whyUnknownState } from '@/lib/domain/status'
import type { Account } from '@/lib/operations/accounts.schema'

/**
 * The stages to which a simulation can move an account (interface document,
 * `POST /v1/accounts/{account_id}/simulate`).
 */
export const simulatedStages = ['onboarding', 'active'] as const

export type SimulatedStage = (typeof simulatedStages)[number]

/** The statuses from which each simulation can start. No simulation moves an account back. */
export const startStatusesByStage: Record<SimulatedStage, readonly string[]> = {
  onboarding: ['created'],
  active: ['created', 'onboarding'],
}

/** Returns why a simulation cannot move an account to a stage, as a sentence; null if it can. */
export function whyNotSimulate(stage: SimulatedStage, status: string): string | null {
  if (startStatusesByStage[stage].includes(status)) return null
  const statusLabel = statusWords('account', status).label.toLowerCase()
  if (!isKnownStatus('account', status)) return whyUnknownState(status)
  return status === stage
    ? `This account is already ${statusLabel}.`
    : `This account is ${statusLabel}: no simulation leads from there to ${stage}.`
}

/**
 * The stages of onboarding, in order, to show the progress of an account. A rejected or inactive
 * account is in none of them.
 */
export const onboardingStages = ['created', 'onboarding', 'active'] as const

/** One difference between two reads of an account, in words. */
type AccountChange = { what: string; before: string; after: string }

const toLabeledAccountValues = (account: Account): [string, string][] => [
  ['Status', statusWords('account', account.status).label],
  ['Reason', reasonText(account.status_detail?.reason)],
  ['Message', account.status_detail?.message ?? ''],
  ...toCapabilityGroups(account).flatMap((group) =>
    group.leaves.map((leaf): [string, string] => [
      `${group.name}, ${leaf.name.toLowerCase()}`,
      leaf.state ?? 'not known',
    ]),
  ),
]

/**
 * Returns the differences between two reads: status, its reason and message, and every capability.
 */
export function listAccountChanges(before: Account, after: Account): AccountChange[] {
  const newTextsByLabel = new Map(toLabeledAccountValues(after))
  return toLabeledAccountValues(before).flatMap(([what, was]) => {
    const newText = newTextsByLabel.get(what) ?? ''
    return was === newText ? [] : [{ what, before: was, after: newText }]
  })
}

/** A recipe for the sandbox: the stages that an account is moved through, in order. */
type AccountRecipe = {
  name: string
  /** The status that the recipe leads to, and what it is for. */
  meaning: string
  stages: readonly SimulatedStage[]
}

/**
 * The recipes. The one for `active` simulates `onboarding` first, so that everything that happens
 * in that stage happens too. No simulation leads to the reason `stuck`, because only the service's
 * compliance team sets it.
 */
export const accountRecipes: readonly AccountRecipe[] = [
  {
    name: 'Active account with limits',
    meaning:
      'Submitted and verified, with its representatives and bank accounts. Payments over its limits go on hold.',
    stages: ['onboarding', 'active'],
  },
  {
    name: 'Account stuck unverified',
    meaning: 'Submitted, awaiting decision. “Simulate active” completes the verification.',
    stages: ['onboarding'],
  },
]

/**
 * Returns the stages of a recipe after the account's current status. Returns all its stages if the
 * status is not one of them.
 */
export const listRemainingStages = (
  { stages }: AccountRecipe,
  status: string,
): readonly SimulatedStage[] => stages.slice((stages as readonly string[]).indexOf(status) + 1)

/**
 * Returns why a recipe cannot run on an account with this status, as a sentence; null if it can.
 */
export function whyNotRunRecipe(recipe: AccountRecipe, status: string): string | null {
  const [nextStage] = listRemainingStages(recipe, status)
  if (nextStage) return whyNotSimulate(nextStage, status)
  return `This account is already ${statusWords('account', status).label.toLowerCase()}.`
}
