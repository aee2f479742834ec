import { capabilityGroups, reasonText } from '@/lib/domain/account-labels'
import { isKnownStatus, statusWords, whyUnknownState } from '@/lib/domain/status'
import type { Account } from '@/lib/operations/accounts.schema'

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
  if (!isKnownStatus('account', status)) return whyUnknownState(status)
  return status === stage ? `This account is already ${words}.` : `This account is ${words}: no simulation leads from there to ${stage}.`
}

/** The stages of the way in, for a stepper. An account that ended elsewhere is not one of these stages. */
export const stages = ['created', 'onboarding', 'active'] as const

/** One line of what changed between two readings of an account, in words. */
type AccountChange = { what: string; before: string; after: string }

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

/** A scenario of the sandbox: stages that are simulated one after another, so that an account is where a test needs it. */
type AccountRecipe = {
  name: string
  /** What the account is afterwards, and what it is good for. */
  meaning: string
  stages: readonly SimulatedStage[]
}

/**
 * The scenarios. The way to `active` goes through `onboarding`, so that everything that happens on the way in happens here too; what the
 * service calls stuck is decided by its compliance, and no simulation leads to it.
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

/** The stages of a recipe an account in this status has yet to go through; none where it is there or beyond. */
export const stagesLeft = ({ stages }: AccountRecipe, status: string): readonly SimulatedStage[] =>
  stages.slice((stages as readonly string[]).indexOf(status) + 1)

/** Why a recipe cannot be played on an account in this status, as a sentence; null where it can. */
export function whyNotPlay(recipe: AccountRecipe, status: string): string | null {
  const [next] = stagesLeft(recipe, status)
  if (next) return whyNotSimulate(next, status)
  return `This account is already ${statusWords('account', status).label.toLowerCase()}.`
}
