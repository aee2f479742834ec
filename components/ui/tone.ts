/** What a colour stands for. A tone always comes with a shape and a word, never alone. */
export type Tone = 'neutral' | 'moving' | 'held' | 'review' | 'good' | 'bad' | 'sandbox' | 'unknown'

/** Text and fill of each tone; written out, because the style sheet is built from the class names found in the source. */
export const toneClasses: Record<Tone, string> = {
  neutral: 'bg-neutral-fill text-neutral border-transparent',
  moving: 'bg-moving-fill text-moving border-transparent',
  held: 'bg-held-fill text-held border-transparent',
  review: 'bg-review-fill text-review border-transparent',
  good: 'bg-good-fill text-good border-transparent',
  bad: 'bg-bad-fill text-bad border-transparent',
  sandbox: 'bg-sandbox-fill text-sandbox border-transparent',
  unknown: 'bg-held-fill text-held border-held border-dashed',
}

/** The text colour of each tone, for a shape or a word on the plain surface. */
export const toneText: Record<Tone, string> = {
  neutral: 'text-neutral',
  moving: 'text-moving',
  held: 'text-held',
  review: 'text-review',
  good: 'text-good',
  bad: 'text-bad',
  sandbox: 'text-sandbox',
  unknown: 'text-held',
}
