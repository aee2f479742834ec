import { unprocessable } from './http/problem'

/** Target of a move that keeps the state, such as an update. */
type Same = 'same'

/**
 * One transition of a state machine: `ask` is requested over the API, `clock` is made by the service. In an `already` state, a request has
 * no effect and is no error.
 */
export type Move<Status extends string, To extends Status | Same = Status | Same> = {
  by: 'ask' | 'clock'
  from: readonly Status[]
  to: To
  already?: readonly Status[]
  /** Past participle for the error text: "cannot be held". */
  done: string
}

/** State machine of a resource: the single source for allowed moves and for the error text of a refusal. */
export type Machine<Status extends string = string, Name extends string = string, To extends Status | Same = Status | Same> = {
  /** The resource in sentences, such as `paykey`. */
  noun: string
  states: readonly Status[]
  moves: Readonly<Record<Name, Move<Status, To>>>
}

/** Types a state machine: every state in a move must be one of `states`. */
export const machine = <const Status extends string, Name extends string, const To extends Status | Same>(
  table: Machine<Status, Name, To>,
): Machine<Status, Name, To> => table

/** Returns the effect of a move now: `moves`, `already` (no effect) or `refused`. */
export function judge<Status extends string, Name extends string>(
  table: Machine<Status, Name>,
  name: Name,
  status: Status,
): 'moves' | 'already' | 'refused' {
  const move = table.moves[name]
  if (move.from.includes(status)) return 'moves'
  return move.already?.includes(status) ? 'already' : 'refused'
}

/**
 * Returns true if the move happens, false if it has no effect. Throws a 422 with the current state and the states the move may start from.
 */
export function requireMove<Status extends string, Name extends string>(
  table: Machine<Status, Name>,
  name: Name,
  status: Status,
  noun: string = table.noun,
): boolean {
  const verdict = judge(table, name, status)
  if (verdict !== 'refused') return verdict === 'moves'
  const { from, done } = table.moves[name]
  throw unprocessable(
    `${/^[aeiou]/.test(noun) ? 'An' : 'A'} ${noun} in status ${status} cannot be ${done}; it must be in ${from.join(' or ')}.`,
  )
}
