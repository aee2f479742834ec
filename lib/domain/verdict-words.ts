import type { Tone } from './status'

/** What a verification, or one module of it, decided: a word, a tone and a sentence. */
export type VerdictWords = { label: string; tone: Tone; meaning: string }

const verdicts: Readonly<Record<string, VerdictWords>> = {
  accept: { label: 'Passed', tone: 'good', meaning: 'The verification found nothing against it.' },
  review: { label: 'Needs a look', tone: 'review', meaning: 'The verification leaves it to a person.' },
  reject: { label: 'Failed', tone: 'bad', meaning: 'The verification is against it.' },
}

/** A decision in words (provider facts 2.1); an unknown one keeps its raw text and is never taken for a pass, a missing one says so. */
export function verdictWords(decision: string | undefined): VerdictWords {
  if (!decision) return { label: 'No decision', tone: 'neutral', meaning: 'The service did not say what it found.' }
  const known = Object.hasOwn(verdicts, decision) ? verdicts[decision] : undefined
  return known ?? { label: decision, tone: 'neutral', meaning: 'Paydesk does not know this word; it is shown as the service wrote it.' }
}
