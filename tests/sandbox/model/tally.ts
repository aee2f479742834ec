import { assessMove, type StateMachine } from '@/sandbox/machine'

/** Records which moves were tried in which states, so that a test can report the others. */
export class MoveTally {
  readonly #seen = new Set<string>()

  /** Records that a client requested a move in a state, or that the clock made it. */
  note(move: string, state: string): void {
    this.#seen.add(`${move} from ${state}`)
  }

  /** Records every clock move of the state machine that leads from one state to the other. */
  noteClock(table: StateMachine, from: string, to: string): void {
    for (const [name, move] of Object.entries(table.moves)) {
      if (move.by === 'clock' && move.from.includes(from) && move.to === to) this.note(name, from)
    }
  }

  /**
   * Returns the moves that the state machine refuses in a state and that no sequence has tried
   * there. Some models request them at the end of a sequence, because random steps alone would miss
   * some.
   */
  untried(table: StateMachine, state: string): string[] {
    const refusedMoves = Object.keys(table.moves).filter(
      (move) => assessMove(table, move, state) === 'refused',
    )
    return refusedMoves.filter((move) => !this.#seen.has(`${move} from ${state}`))
  }

  /**
   * Returns the pairs of move and state that were not tried, as one text each. Includes only the
   * given moves, and only pairs for which `assessMove` returns one of `verdicts`.
   */
  missing(
    table: StateMachine,
    moves: readonly string[] = Object.keys(table.moves),
    verdicts: readonly string[] = ['moves', 'refused'],
  ): string[] {
    return moves.flatMap((move) =>
      table.states
        .filter((state) => verdicts.includes(assessMove(table, move, state)))
        .map((state) => `${move} from ${state}`)
        .filter((line) => !this.#seen.has(line)),
    )
  }
}
