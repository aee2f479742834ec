import type { Tone } from './status'

/** A risk score in words; `position` is 0 to 1, for a bar. */
export type RiskWords = { label: string; tone: Tone; position: number; text: string }

/** From where on a risk counts as medium, and as high. The service names no buckets for it: these are the desk's own, for the eye only. */
export const riskBounds = { medium: 0.4, high: 0.8 } as const

/** A risk score of 0 to 1 in words, high being bad. Null for one that is missing or lies outside: it must not look like a low risk. */
export function riskWords(score: number | undefined): RiskWords | null {
  if (score === undefined || !(score >= 0 && score <= 1)) return null
  // Rounded up: 0.001 is not nothing.
  const shared = { position: score, text: (Math.ceil(score * 100) / 100).toFixed(2) }
  if (score >= riskBounds.high) return { label: 'High risk', tone: 'bad', ...shared }
  return score >= riskBounds.medium ? { label: 'Medium risk', tone: 'held', ...shared } : { label: 'Low risk', tone: 'good', ...shared }
}
