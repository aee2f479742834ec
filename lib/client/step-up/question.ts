import type { StepUpAsked } from '@/lib/errors'

/** A question to the person: what is asked, in words, where the proof is sent, and whether an earlier one of the same request ran out. */
export type Question = { asked: StepUpAsked; detail: string; environment: string; isAgain: boolean }

/** The id of what was proven; `again` where the question ran out and another one is needed; null where the person does not confirm. */
export type Answered = { proof: string } | 'again' | null

/** Asks the person of this page. */
export type Asker = (question: Question) => Promise<Answered>

let asker: Asker | null = null

/** Says who asks the person on this page; gives what takes that back. */
export function onStepUp(ask: Asker): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = null
  }
}

/** Who asks on this page, if anybody does. */
export const askerHere = (): Asker | null => asker
