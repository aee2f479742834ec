import { type Payment, type PaymentStatus, type StatusReason, type StatusSource, stateOf } from './payment'

/** One arrow of the state machine. `after` is how long the clock lets a state stand before it moves on by itself, in milliseconds. */
type Move = {
  from: readonly PaymentStatus[]
  to: PaymentStatus
  /** States in which asking again changes nothing and is no error. */
  already?: readonly PaymentStatus[]
  reason: StatusReason
  source: StatusSource
  message: string
  after?: number
}

/**
 * The whole state machine of charges and payouts: which state each move may start from and where it leads.
 * hold, release and cancel are asked for; schedule, originate and settle come with the clock. The provider takes 3 to 9 s to
 * schedule and up to a minute for each later step; the sandbox uses fixed times. Releasing a payment that is already
 * `created` is answered 200 without an effect, as the provider does.
 */
export const paymentMoves = {
  hold: { from: ['created', 'scheduled'], to: 'on_hold', reason: 'user_request', source: 'user_action', message: 'Held on request' },
  release: {
    from: ['on_hold'],
    to: 'created',
    already: ['created'],
    reason: 'user_request',
    source: 'user_action',
    message: 'Released on request',
  },
  cancel: {
    from: ['created', 'scheduled', 'on_hold'],
    to: 'cancelled',
    reason: 'user_request',
    source: 'user_action',
    message: 'Cancelled on request',
  },
  schedule: {
    from: ['created'],
    to: 'scheduled',
    reason: 'ok',
    source: 'system',
    message: 'Checks passed; waits for its payment date',
    after: 5_000,
  },
  originate: { from: ['scheduled'], to: 'pending', reason: 'ok', source: 'system', message: 'Sent to the bank network', after: 60_000 },
  settle: { from: ['pending'], to: 'paid', reason: 'ok', source: 'system', message: 'Funding completed', after: 60_000 },
} as const satisfies Record<string, Move>

/** The name of a move; hold, release and cancel are also the last part of their paths. */
export type MoveName = keyof typeof paymentMoves

const moves: Readonly<Record<MoveName, Move>> = paymentMoves

/** What a move would do now: happen, be a no-op, or be refused. */
export function judge(name: MoveName, status: PaymentStatus): 'moves' | 'already' | 'refused' {
  const move = moves[name]
  if (move.from.includes(status)) return 'moves'
  return move.already?.includes(status) ? 'already' : 'refused'
}

/** The sentence of a refusal: the state it is in and the states the move may start from. */
export function refusalOf(name: MoveName, payment: Payment): string {
  const word = {
    hold: 'held',
    release: 'released',
    cancel: 'cancelled',
    schedule: 'scheduled',
    originate: 'originated',
    settle: 'settled',
  }[name]
  return `A ${payment.type} in status ${stateOf(payment).status} cannot be ${word}; it must be in ${moves[name].from.join(' or ')}.`
}

/** The move the clock makes out of a state, or undefined where somebody has to act. */
export const clockMoveFrom = (status: PaymentStatus): MoveName | undefined =>
  (['schedule', 'originate', 'settle'] as const).find((name) => moves[name].from.includes(status))

/**
 * Makes a move on the object in hand: a new last entry in the history, the times, and the time of the next move by the clock.
 * `message` is the caller's reason, put verbatim where the provider puts it. The caller has asked `judge` before and saves afterwards.
 */
export function makeMove(name: MoveName, payment: Payment, now: number, message?: string): void {
  const { to, reason, source, message: usual } = moves[name]
  const next = clockMoveFrom(to)
  payment.doc.status_history.push({
    status: to,
    reason,
    source,
    message: message ?? usual,
    changed_at: new Date(now).toISOString(),
    code: null,
  })
  payment.updated_at = now
  payment.next_move_at = next === undefined ? null : now + (moves[next].after ?? 0)
  if (to === 'pending') payment.processed_at = now
  if (to === 'paid') payment.effective_at = now
}
