import type { StepUpAsked } from '@/lib/errors'

/**
 * A prompt for a proof: the required step-up, its text, the environment of the request, and `isAgain` if an earlier prompt for it expired.
 */
export type Question = { asked: StepUpAsked; detail: string; environment: string; isAgain: boolean }

/** The id of the proof; `again` if the prompt expired and a new one is needed; null if the person does not confirm. */
export type Answered = { proof: string } | 'again' | null

/** Prompts the person of this page. */
export type Asker = (question: Question) => Promise<Answered>

let asker: Asker | null = null

/** Registers the prompt of this page. Returns the unregister function. */
export function onStepUp(ask: Asker): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = null
  }
}

/** Returns the prompt of this page; null if there is none. */
export const askerHere = (): Asker | null => asker
