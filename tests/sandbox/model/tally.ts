import { judge, type Machine } from '@/sandbox/machine'

/** Counts the moves of a table tried from each state, so that a test run can report untried ones. */
export class Tally {
  readonly #seen = new Set<string>()

  /** Records that a move was tried, or made by the clock, in a state. */
  note(move: string, state: string): void {
    this.#seen.add(`${move} from ${state}`)
  }

  /** Records a clock transition: every clock move of the table between the two states. */
  noteClock(table: Machine, from: string, to: string): void {
    for (const [name, move] of Object.entries(table.moves)) {
      if (move.by === 'clock' && move.from.includes(from) && move.to === to) this.note(name, from)
    }
  }

  /**
   * Returns the moves that the table refuses from a state and that are still untried. Sequences request them at their end, not by chance.
   */
  untried(table: Machine, state: string): string[] {
    const refused = Object.keys(table.moves).filter((move) => judge(table, move, state) === 'refused')
    return refused.filter((move) => !this.#seen.has(`${move} from ${state}`))
  }

  /** Returns untried pairs of move and state, one line each; `moves` limits the check to some moves. */
  missing(
    table: Machine,
    moves: readonly string[] = Object.keys(table.moves),
    verdicts: readonly string[] = ['moves', 'refused'],
  ): string[] {
    return moves.flatMap((move) =>
      table.states
        .filter((state) => verdicts.includes(judge(table, move, state)))
        .map((state) => `${move} from ${state}`)
        .filter((line) => !this.#seen.has(line)),
    )
  }
}
