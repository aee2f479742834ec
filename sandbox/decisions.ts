/** A new status of a paykey or customer; `number` is its row number, `at` milliseconds on the sandbox's clock. */
export type Decision = { about: 'paykey' | 'customer'; number: number; status: string; at: number }

type Listener = (decision: Decision) => void

/**
 * Passes status changes of paykeys and customers to the resources that wait for them, so that neither side imports the other. Listeners run
 * immediately, in the transaction of the decision; an error they throw rolls it back.
 */
export class Decisions {
  readonly #listeners: Listener[] = []

  /** Adds a listener for later decisions. Listeners run in the order they were added. */
  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Passes a decision to all listeners. Must run inside its transaction, after the new status was saved. */
  tell(decision: Decision): void {
    for (const listener of this.#listeners) listener(decision)
  }
}
