import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Store } from '@/sandbox/store/store'
import type { FundingReason } from './funding-event'

/** One payment's part in a funding event; `payment` and `account` are short numbers, `amount` is signed cents. */
export type FundingLine = { payment: number; reason: FundingReason; account: number; type: PaymentType; amount: number }

/** True for a payment's own money, which it says itself once it is in an event; false for what takes it back. */
export const isMain = ({ reason }: { reason: FundingReason }): boolean => reason === 'credit' || reason === 'debit'

/** Lines for one funding event with their sum; `left` says that more may wait. */
export type Collected = { collected: FundingLine[]; sum: number; left: boolean }

const table = `
CREATE TABLE IF NOT EXISTS funding_lines (
  payment INTEGER NOT NULL, reason TEXT NOT NULL, account INTEGER NOT NULL, type TEXT NOT NULL, amount INTEGER NOT NULL, event INTEGER,
  PRIMARY KEY (payment, reason)
);
CREATE INDEX IF NOT EXISTS funding_lines_waiting ON funding_lines (account, type, amount = 0) WHERE event IS NULL;
CREATE INDEX IF NOT EXISTS funding_lines_event ON funding_lines (event) WHERE event IS NOT NULL;`

/**
 * What waits to be funded, and what was taken back. A payment's own money in an event has no row: the payment's `funding` names the event
 * and its amount is the line's, so a million payments need no second million of rows.
 */
export class FundingLines {
  /** The lines of an account and type that wait: those that move money, oldest first, then those that move none. */
  static readonly waitingSql =
    'SELECT payment, reason, account, type, amount FROM funding_lines WHERE account = ? AND type = ? AND event IS NULL ORDER BY amount = 0, rowid LIMIT ?'

  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
    store.exec(table)
  }

  /** Adds a line, to an event or waiting for one; a payment has one of each reason, and a second is not added. */
  add({ payment, reason, account, type, amount }: FundingLine, event: number | null = null): void {
    this.#store.run(
      'INSERT OR IGNORE INTO funding_lines (payment, reason, account, type, amount, event) VALUES (?, ?, ?, ?, ?, ?)',
      ...[payment, reason, account, type, amount, event],
    )
  }

  /** Whether the payment's own money waits to be funded. */
  mainWaits(payment: number): boolean {
    const sql = "SELECT 1 FROM funding_lines WHERE payment = ? AND reason IN ('credit', 'debit')"
    return this.#store.get(sql, payment) !== undefined
  }

  /**
   * What the next funding event of an account and type takes of the lines that wait: about `atMost`, and as many more as it needs while those add
   * up to zero, since nothing may keep money waiting without end. What takes money back waits for the event after the one that has that money.
   */
  collect(account: number, type: PaymentType, atMost: number): Collected {
    for (let limit = atMost; ; limit *= 2) {
      const waiting = this.#store.all<FundingLine>(FundingLines.waitingSql, account, type, limit)
      const moved = new Set(waiting.filter(isMain).map((line) => line.payment))
      const collected = waiting.filter((line) => isMain(line) || !moved.has(line.payment))
      const sum = collected.reduce((total, line) => total + line.amount, 0)
      const isAllMoney = waiting.length < limit || waiting.at(-1)?.amount === 0
      if (sum !== 0 || isAllMoney) return { collected, sum, left: collected.length < waiting.length || waiting.length === limit }
    }
  }

  /** Puts a waiting line into an event. One of a payment's own money goes away: from now on the payment says it. */
  place(line: FundingLine, event: number): void {
    const { payment, reason } = line
    if (isMain(line)) this.#store.run('DELETE FROM funding_lines WHERE payment = ? AND reason = ?', payment, reason)
    else this.#store.run('UPDATE funding_lines SET event = ? WHERE payment = ? AND reason = ?', event, payment, reason)
  }

  /** What was taken back of a payment in an event, or undefined. */
  takenBack(event: number, payment: number): Pick<FundingLine, 'reason' | 'amount'> | undefined {
    return this.#store.get('SELECT reason, amount FROM funding_lines WHERE payment = ? AND event = ?', payment, event)
  }

  /** The numbers of the payments of which an event took something back. */
  paymentsTakenBack(event: number): number[] {
    return this.#store.all<{ payment: number }>('SELECT payment FROM funding_lines WHERE event = ?', event).map((row) => row.payment)
  }

  /** The numbers of the events that took something back of a payment. */
  eventsTakingBack(payment: number): number[] {
    const sql = 'SELECT event FROM funding_lines WHERE payment = ? AND event IS NOT NULL ORDER BY rowid'
    return this.#store.all<{ event: number }>(sql, payment).map((row) => row.event)
  }
}
