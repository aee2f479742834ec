import type { Tone } from './status'

type VerdictWords = { label: string; tone: Tone; meaning: string }

const wordsByDecision: Readonly<Record<string, VerdictWords>> = {
  accept: { label: 'Passed', tone: 'good', meaning: 'The verification passed.' },
  review: {
    label: 'Needs review',
    tone: 'review',
    meaning: 'The verification needs a manual review.',
  },
  reject: { label: 'Failed', tone: 'bad', meaning: 'The verification failed.' },
}

/** An unknown decision keeps its raw text and is neutral (provider facts 2.1). */
export function getVerdictWords(decision: string | undefined): VerdictWords {
  if (!decision)
    return { label: 'No decision', tone: 'neutral', meaning: 'The service gave no result.' }
  const knownVerdictWords = Object.hasOwn(wordsByDecision, decision)
    ? wordsByDecision[decision]
    : undefined
  return (
    knownVerdictWords ?? {
      label: decision,
      tone: 'neutral',
      meaning: 'Paydesk does not know this word; it is shown as the service sent it.',
    }
  )
}

/** For a score of how similar two names are. `position` is 0 to 1. */
type ScoreWords = {
  bucket: 'exact' | 'high' | 'medium' | 'low'
  label: string
  tone: Tone
  position: number
  text: string
}

/**
 * A score above `high` is a high match, and a score from `medium` on is a medium match, as in the
 * provider's demo (provider facts 2.9).
 */
export const scoreBounds = { high: 0.8, medium: 0.2 } as const

const scoreLabels = {
  exact: { label: 'Exact match', tone: 'good' },
  high: { label: 'High match', tone: 'good' },
  medium: { label: 'Medium match', tone: 'held' },
  low: { label: 'Low match', tone: 'bad' },
} as const satisfies Record<ScoreWords['bucket'], { label: string; tone: Tone }>

function toScoreBucket(score: number): ScoreWords['bucket'] {
  if (score === 1) return 'exact'
  if (score > scoreBounds.high) return 'high'
  return score >= scoreBounds.medium ? 'medium' : 'low'
}

/** Null if missing or out of range, because an invalid score must not look like a match. */
export function toScoreWords(score: number | undefined): ScoreWords | null {
  if (score === undefined || !(score >= 0 && score <= 1)) return null
  const bucket = toScoreBucket(score)
  // 0.999 must not be shown as 1.00, which means an exact match.
  const scoreText = score < 1 ? Math.min(score, 0.99).toFixed(2) : '1.00'
  return { bucket, ...scoreLabels[bucket], position: score, text: scoreText }
}

const wordsByCorrelation: Readonly<Record<string, { label: string; tone: Tone }>> = {
  high_confidence: { label: 'Strong match', tone: 'good' },
  likely_match: { label: 'Likely match', tone: 'good' },
  potential_match: { label: 'Potential match', tone: 'held' },
  low_confidence: { label: 'Weak match', tone: 'bad' },
}

/** An unknown category keeps its raw text (provider facts 2.1). */
export function getCorrelationWords(correlation: string): { label: string; tone: Tone } {
  const correlationWords = Object.hasOwn(wordsByCorrelation, correlation)
    ? wordsByCorrelation[correlation]
    : undefined
  return correlationWords ?? { label: correlation, tone: 'neutral' }
}
