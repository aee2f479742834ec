import { makeUnprocessableProblem } from './http/problem'

/** Target of a move that does not change the state, such as an update of other fields. */
type SameStatus = 'same'

/**
 * A move of a state machine. `by` is `ask` if a client requests the move, and `clock` if the
 * service makes it. If the current state is in `already`, a request for the move changes nothing
 * and is no error.
 */
export type MachineMove<
  Status extends string,
  To extends Status | SameStatus = Status | SameStatus,
> = {
  by: 'ask' | 'clock'
  from: readonly Status[]
  to: To
  already?: readonly Status[]
  /** Past participle for the error text, such as "held" in "cannot be held". */
  done: string
}

export type StateMachine<
  Status extends string = string,
  Name extends string = string,
  To extends Status | SameStatus = Status | SameStatus,
> = {
  /** Name of the resource in error texts, such as `paykey`. */
  noun: string
  states: readonly Status[]
  moves: Readonly<Record<Name, MachineMove<Status, To>>>
}

/** Lets TypeScript check that each state in a move is one of `states`. */
export const defineMachine = <
  const Status extends string,
  Name extends string,
  const To extends Status | SameStatus,
>(
  machine: StateMachine<Status, Name, To>,
): StateMachine<Status, Name, To> => machine

/** Returns what a move would do in a status: `moves`, `already` (changes nothing) or `refused`. */
export function assessMove<Status extends string, Name extends string>(
  machine: StateMachine<Status, Name>,
  moveName: Name,
  status: Status,
): 'moves' | 'already' | 'refused' {
  const move = machine.moves[moveName]
  if (move.from.includes(status)) return 'moves'
  return move.already?.includes(status) ? 'already' : 'refused'
}

/**
 * Returns true if the move changes the state, and false if the state is in the move's `already`
 * list. Otherwise throws a 422 that names the states from which the move is allowed.
 */
export function requireMove<Status extends string, Name extends string>(
  machine: StateMachine<Status, Name>,
  moveName: Name,
  status: Status,
  noun: string = machine.noun,
): boolean {
  const verdict = assessMove(machine, moveName, status)
  if (verdict !== 'refused') return verdict === 'moves'
  const { from, done } = machine.moves[moveName]
  throw makeUnprocessableProblem(
    `${/^[aeiou]/.test(noun) ? 'An' : 'A'} ${noun} in status ${status} cannot be ${done}; it must be in ${from.join(' or ')}.`,
  )
}
