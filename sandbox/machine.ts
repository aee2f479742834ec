import { unprocessable } from './http/problem'

/** Target of a move that keeps the state, such as an update. */
type Same = 'same'

/**
 * One transition of a state machine. `ask`: a client requests it over the API. `clock`: the service makes it. In an `already` state, a
 * request changes nothing and is no error.
 */
export type Move<Status extends string, To extends Status | Same = Status | Same> = {
  by: 'ask' | 'clock'
  from: readonly Status[]
  to: To
  already?: readonly Status[]
  /** Past participle for the error text, such as "held" in "cannot be held". */
  done: string
}

/** State machine of a resource: defines the allowed moves and the error text for a move that is not allowed. */
export type Machine<Status extends string = string, Name extends string = string, To extends Status | Same = Status | Same> = {
  /** Name of the resource in error texts, such as `paykey`. */
  noun: string
  states: readonly Status[]
  moves: Readonly<Record<Name, Move<Status, To>>>
}

/** Returns the state machine unchanged. Its type requires that every state in a move is one of `states`. */
export const defineMachine = <const Status extends string, Name extends string, const To extends Status | Same>(
  table: Machine<Status, Name, To>,
): Machine<Status, Name, To> => table

/** Returns what a move would do in a status: `moves`, `already` (changes nothing) or `refused`. */
export function assessMove<Status extends string, Name extends string>(
  table: Machine<Status, Name>,
  name: Name,
  status: Status,
): 'moves' | 'already' | 'refused' {
  const move = table.moves[name]
  if (move.from.includes(status)) return 'moves'
  return move.already?.includes(status) ? 'already' : 'refused'
}

/**
 * Returns true if the move changes the state, false if the object is already in the target state. Throws a 422 that names the current state
 * and the states from which the move is allowed.
 */
export function requireMove<Status extends string, Name extends string>(
  table: Machine<Status, Name>,
  name: Name,
  status: Status,
  noun: string = table.noun,
): boolean {
  const verdict = assessMove(table, name, status)
  if (verdict !== 'refused') return verdict === 'moves'
  const { from, done } = table.moves[name]
  throw unprocessable(
    `${/^[aeiou]/.test(noun) ? 'An' : 'A'} ${noun} in status ${status} cannot be ${done}; it must be in ${from.join(' or ')}.`,
  )
}
