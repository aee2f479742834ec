import { getAccountReasonText, toCapabilityGroups } from '@/lib/domain/account-labels'
import { getStatusWords, isKnownStatus, whyUnknownState } from '@/lib/domain/status'
import type { Account } from '@/lib/operations/accounts.schema'

/**
 * The stages to which the sandbox can move an account (interface document,
 * `POST /v1/accounts/{account_id}/simulate`).
 */
export const simulatedStages = ['onboarding', 'active'] as const

export type SimulatedStage = (typeof simulatedStages)[number]

/** No simulation moves an account back. */
export const startStatusesByStage: Record<SimulatedStage, readonly string[]> = {
  onboarding: ['created'],
  active: ['created', 'onboarding'],
}

export function whyNotSimulate(stage: SimulatedStage, status: string): string | null {
  if (startStatusesByStage[stage].includes(status)) return null
  const statusLabel = getStatusWords('account', status).label.toLowerCase()
  if (!isKnownStatus('account', status)) return whyUnknownState(status)
  return status === stage
    ? `This account is already ${statusLabel}.`
    : `This account is ${statusLabel}: no simulation leads from there to ${stage}.`
}

/** A rejected or inactive account is in none of these stages. */
export const onboardingStages = ['created', 'onboarding', 'active'] as const

type AccountChange = { what: string; before: string; after: string }

const toLabeledAccountValues = (account: Account): [string, string][] => [
  ['Status', getStatusWords('account', account.status).label],
  ['Reason', getAccountReasonText(account.status_detail?.reason)],
  ['Message', account.status_detail?.message ?? ''],
  ...toCapabilityGroups(account).flatMap((group) =>
    group.leaves.map((leaf): [string, string] => [
      `${group.name}, ${leaf.name.toLowerCase()}`,
      leaf.state ?? 'not known',
    ]),
  ),
]

export function listAccountChanges(before: Account, after: Account): AccountChange[] {
  const newTextsByLabel = new Map(toLabeledAccountValues(after))
  return toLabeledAccountValues(before).flatMap(([what, was]) => {
    const newText = newTextsByLabel.get(what) ?? ''
    return was === newText ? [] : [{ what, before: was, after: newText }]
  })
}

/** For the sandbox: the stages that an account is moved through, in order. */
type SimulationRecipe = {
  name: string
  meaning: string
  stages: readonly SimulatedStage[]
}

/**
 * The recipe for `active` simulates `onboarding` first, so that the events of that stage happen
 * too. No recipe leads to the reason `stuck`, because only the service's compliance team sets it.
 */
export const simulationRecipes: readonly SimulationRecipe[] = [
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

/** Returns all stages if the status is not one of them. */
export const listRemainingStages = (
  { stages }: SimulationRecipe,
  status: string,
): readonly SimulatedStage[] => stages.slice((stages as readonly string[]).indexOf(status) + 1)

export function whyNotRunRecipe(recipe: SimulationRecipe, status: string): string | null {
  const [nextStage] = listRemainingStages(recipe, status)
  if (nextStage) return whyNotSimulate(nextStage, status)
  return `This account is already ${getStatusWords('account', status).label.toLowerCase()}.`
}
