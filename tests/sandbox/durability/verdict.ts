/** Result of all rounds. Each item of `violations` is an error text. */
export type KillTestVerdict = {
  rounds: number
  kills: number
  sent: number
  acknowledged: number
  refused: number
  unanswered: number
  unansweredWithEffect: number
  /** Total seconds in which writes were sent, and the number of writes per second. */
  seconds: number
  perSecond: number
  /** Number of writes that got the same response when they were repeated. */
  replayed: number
  effects: number
  events: number
  arrivedTwice: number
  violations: string[]
}

export const createEmptyVerdict = (): KillTestVerdict => ({
  ...{
    rounds: 0,
    kills: 0,
    sent: 0,
    acknowledged: 0,
    refused: 0,
    unanswered: 0,
    unansweredWithEffect: 0,
    seconds: 0,
    perSecond: 0,
  },
  ...{ replayed: 0, effects: 0, events: 0, arrivedTwice: 0, violations: [] },
})
