import { type SimulatedStage, whyNotSimulate } from './account-rules'
import { statusWords } from './status'

/** A scenario of the sandbox: stages that are simulated one after another, so that an account stands where a test needs it. */
export type AccountRecipe = {
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
    meaning: 'Handed over, then verified, its people and bank accounts with it. Payments over its limits are held.',
    stages: ['onboarding', 'active'],
  },
  {
    name: 'Account stuck unverified',
    meaning: 'Handed over and decided by nobody: what a business meets while it waits. “Simulate active” ends the wait.',
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
  return `It is ${statusWords('account', status).label.toLowerCase()} already.`
}
