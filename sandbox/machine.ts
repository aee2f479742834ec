import { unprocessable } from './http/problem'

/** The target of a move that leaves the state as it is, such as an update. */
export type Same = 'same'

/**
 * One arrow of a state machine. `ask` names a move somebody asks for over the API, `clock` one the service makes unasked.
 * `already` are states in which asking again changes nothing and is no error.
 */
export type Move<Status extends string, To extends Status | Same = Status | Same> = {
  by: 'ask' | 'clock'
  from: readonly Status[]
  to: To
  already?: readonly Status[]
  /** Past participle for the refusal: "cannot be held". */
  done: string
}

/** A resource's whole table: the single source for what is allowed and for the sentence of a refusal. */
export type Machine<Status extends string = string, Name extends string = string, To extends Status | Same = Status | Same> = {
  /** The resource's word in sentences, such as `paykey`. */
  noun: string
  states: readonly Status[]
  moves: Readonly<Record<Name, Move<Status, To>>>
}

/** Types a table: every state a move names must be one of `states`. */
export const machine = <const Status extends string, Name extends string, const To extends Status | Same>(
  table: Machine<Status, Name, To>,
): Machine<Status, Name, To> => table

/** What a move would do now: happen, change nothing, or be refused. */
export function judge<Status extends string, Name extends string>(
  table: Machine<Status, Name>,
  name: Name,
  status: Status,
): 'moves' | 'already' | 'refused' {
  const move = table.moves[name]
  if (move.from.includes(status)) return 'moves'
  return move.already?.includes(status) ? 'already' : 'refused'
}

/** True when the move happens, false when it changes nothing. Throws the 422 that names the state it is in and the states it may start from. */
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
