/** A paykey or customer that came to another status; `number` is its short number, `at` milliseconds on the sandbox's clock. */
export type Decision = { about: 'paykey' | 'customer'; number: number; status: string; at: number }

type Listener = (decision: Decision) => void

/**
 * Carries what becomes of paykeys and customers to the resources that wait for it, so that neither side imports the other. A listener runs at
 * once, in the transaction of the decision, and what it throws undoes that.
 */
export class Decisions {
  readonly #listeners: Listener[] = []

  /** Has every later decision told to a listener, in the order they were added. */
  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Tells of a decision. Must run inside its transaction, after the new status was saved. */
  tell(decision: Decision): void {
    for (const listener of this.#listeners) listener(decision)
  }
}
