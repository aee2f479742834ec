import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Store } from '@/sandbox/store/store'
import type { FundingReason } from './funding-event'

/** One payment's line in a funding event; `payment` and `account` are row numbers, `amount` is signed cents. */
export type FundingLine = { payment: number; reason: FundingReason; account: number; type: PaymentType; amount: number }

/** True for a payment's own money (stored on the payment once it is in an event); false for money taken back. */
export const isMain = ({ reason }: { reason: FundingReason }): boolean => reason === 'credit' || reason === 'debit'

export type Collected = { collected: FundingLine[]; sum: number; left: boolean }

const table = `
CREATE TABLE IF NOT EXISTS funding_lines (
  payment INTEGER NOT NULL, reason TEXT NOT NULL, account INTEGER NOT NULL, type TEXT NOT NULL, amount INTEGER NOT NULL, event INTEGER,
  PRIMARY KEY (payment, reason)
);
CREATE INDEX IF NOT EXISTS funding_lines_waiting ON funding_lines (account, type, amount = 0) WHERE event IS NULL;
CREATE INDEX IF NOT EXISTS funding_lines_event ON funding_lines (event) WHERE event IS NOT NULL;`

/**
 * Lines that wait for funding, and money taken back. A payment's own money in an event has no row: the payment's `funding` names the event,
 * and its amount is the line's. A million payments need no million rows here.
 */
export class FundingLines {
  /** Waiting lines of an account and type: those that move money, oldest first, then those of 0 cents. */
  static readonly waitingSql =
    'SELECT payment, reason, account, type, amount FROM funding_lines WHERE account = ? AND type = ? AND event IS NULL ORDER BY amount = 0, rowid LIMIT ?'

  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
    store.exec(table)
  }

  /** Adds a line, to an event or waiting for one. A payment has one line per reason; a second is ignored. */
  add({ payment, reason, account, type, amount }: FundingLine, event: number | null = null): void {
    this.#store.run(
      'INSERT OR IGNORE INTO funding_lines (payment, reason, account, type, amount, event) VALUES (?, ?, ?, ?, ?, ?)',
      ...[payment, reason, account, type, amount, event],
    )
  }

  /** True if the payment's own money waits for funding. */
  mainWaits(payment: number): boolean {
    const sql = "SELECT 1 FROM funding_lines WHERE payment = ? AND reason IN ('credit', 'debit')"
    return this.#store.get(sql, payment) !== undefined
  }

  /**
   * Returns the waiting lines for the next funding event of an account and type. Takes about `atMost`, and more if those sum to 0: money
   * must not wait forever. Money taken back waits until the event after the one with the payment's own money.
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

  /** Puts a waiting line into an event. A line of the payment's own money is deleted: the payment then records it. */
  place(line: FundingLine, event: number): void {
    const { payment, reason } = line
    if (isMain(line)) this.#store.run('DELETE FROM funding_lines WHERE payment = ? AND reason = ?', payment, reason)
    else this.#store.run('UPDATE funding_lines SET event = ? WHERE payment = ? AND reason = ?', event, payment, reason)
  }

  takenBack(event: number, payment: number): Pick<FundingLine, 'reason' | 'amount'> | undefined {
    return this.#store.get('SELECT reason, amount FROM funding_lines WHERE payment = ? AND event = ?', payment, event)
  }

  paymentsTakenBack(event: number): number[] {
    return this.#store.all<{ payment: number }>('SELECT payment FROM funding_lines WHERE event = ?', event).map((row) => row.payment)
  }

  eventsTakingBack(payment: number): number[] {
    const sql = 'SELECT event FROM funding_lines WHERE payment = ? AND event IS NOT NULL ORDER BY rowid'
    return this.#store.all<{ event: number }>(sql, payment).map((row) => row.event)
  }
}
