import type { Tone } from './status'

/** The texts for the decision of a verification, or of one of its modules. */
type VerdictWords = { label: string; tone: Tone; meaning: string }

const verdictTexts: Readonly<Record<string, VerdictWords>> = {
  accept: { label: 'Passed', tone: 'good', meaning: 'The verification passed.' },
  review: {
    label: 'Needs review',
    tone: 'review',
    meaning: 'The verification needs a manual review.',
  },
  reject: { label: 'Failed', tone: 'bad', meaning: 'The verification failed.' },
}

/**
 * Returns the texts for a decision (provider facts 2.1). An unknown decision keeps its raw text and
 * is neutral. A missing decision has the label "No decision".
 */
export function verdictWords(decision: string | undefined): VerdictWords {
  if (!decision)
    return { label: 'No decision', tone: 'neutral', meaning: 'The service gave no result.' }
  const entry = Object.hasOwn(verdictTexts, decision) ? verdictTexts[decision] : undefined
  return (
    entry ?? {
      label: decision,
      tone: 'neutral',
      meaning: 'Paydesk does not know this word; it is shown as the service sent it.',
    }
  )
}

/**
 * The texts for a score of how similar two names are. `position` (0 to 1) is the place of the score
 * on a bar.
 */
type ScoreWords = {
  bucket: 'exact' | 'high' | 'medium' | 'low'
  label: string
  tone: Tone
  position: number
  text: string
}

/**
 * Scores above `high` are high. Scores from `medium` on are medium. The provider's demo uses the
 * same values (provider facts 2.9).
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

/**
 * Returns the texts for a correlation score from 0 to 1: 1 is exact, above 0.8 is high, from 0.2 on
 * is medium, below is low. Null if the score is missing or out of range, because an invalid score
 * must not look like a match.
 */
export function toScoreWords(score: number | undefined): ScoreWords | null {
  if (score === undefined || !(score >= 0 && score <= 1)) return null
  const bucket = toScoreBucket(score)
  // 0.999 must not be shown as 1.00, which means an exact match.
  const text = score < 1 ? Math.min(score, 0.99).toFixed(2) : '1.00'
  return { bucket, ...scoreLabels[bucket], position: score, text }
}

const correlationTexts: Readonly<Record<string, { label: string; tone: Tone }>> = {
  high_confidence: { label: 'High confidence', tone: 'good' },
  likely_match: { label: 'Likely match', tone: 'good' },
  potential_match: { label: 'Potential match', tone: 'held' },
  low_confidence: { label: 'Low confidence', tone: 'bad' },
}

/**
 * Returns the texts for a correlation category of the service (provider facts 2.1). An unknown
 * category keeps its raw text.
 */
export function correlationWords(correlation: string): { label: string; tone: Tone } {
  const entry = Object.hasOwn(correlationTexts, correlation)
    ? correlationTexts[correlation]
    : undefined
  return entry ?? { label: correlation, tone: 'neutral' }
}
