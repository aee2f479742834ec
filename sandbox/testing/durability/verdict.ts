/** What the rounds came to. `violations` says in one line each what must not be. */
export type Verdict = {
  rounds: number
  kills: number
  sent: number
  acknowledged: number
  refused: number
  unanswered: number
  unansweredWithEffect: number
  /** Seconds under load, and writes sent in each of them. */
  seconds: number
  perSecond: number
  /** Writes that got their own answer again when they were sent again. */
  replayed: number
  effects: number
  events: number
  arrivedTwice: number
  violations: string[]
}

/** A verdict before the first round. */
export const emptyVerdict = (): Verdict => ({
  ...{ rounds: 0, kills: 0, sent: 0, acknowledged: 0, refused: 0, unanswered: 0, unansweredWithEffect: 0, seconds: 0, perSecond: 0 },
  ...{ replayed: 0, effects: 0, events: 0, arrivedTwice: 0, violations: [] },
})
