import { judge, type Machine } from '@/sandbox/machine'

/** Counts which moves of a table were tried from which states, so that a run of random sequences can say what it never came to. */
export class Tally {
  readonly #seen = new Set<string>()

  /** Notes that a move was tried, or made by the clock, in a state. */
  note(move: string, state: string): void {
    this.#seen.add(`${move} from ${state}`)
  }

  /** Notes what the clock did: every move of its own that leads from one state to the other. */
  noteClock(table: Machine, from: string, to: string): void {
    for (const [name, move] of Object.entries(table.moves)) {
      if (move.by === 'clock' && move.from.includes(from) && move.to === to) this.note(name, from)
    }
  }

  /** The moves that a table refuses from a state and that nobody tried yet: asked for at the end of a sequence, none stays left to chance. */
  untried(table: Machine, state: string): string[] {
    const refused = Object.keys(table.moves).filter((move) => judge(table, move, state) === 'refused')
    return refused.filter((move) => !this.#seen.has(`${move} from ${state}`))
  }

  /** The pairs of the moves and states of a table that were never tried, as lines; `moves` narrows to some of them. */
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
