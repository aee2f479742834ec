import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Store } from '@/sandbox/store/store'
import type { FundingReason } from './funding-event'

/** A payment's line in a funding event. `payment` and `account` are row numbers; `amount` is in cents, negative for money taken back. */
export type FundingLine = { payment: number; reason: FundingReason; account: number; type: PaymentType; amount: number }

/** True for a line of the payment's own money, false for money taken back. */
export const isOwnMoney = ({ reason }: { reason: FundingReason }): boolean => reason === 'credit' || reason === 'debit'

export type CollectedLines = { collected: FundingLine[]; sum: number; left: boolean }

const table = `
CREATE TABLE IF NOT EXISTS funding_lines (
  payment INTEGER NOT NULL, reason TEXT NOT NULL, account INTEGER NOT NULL, type TEXT NOT NULL, amount INTEGER NOT NULL, event INTEGER,
  PRIMARY KEY (payment, reason)
);
CREATE INDEX IF NOT EXISTS funding_lines_waiting ON funding_lines (account, type, amount = 0) WHERE event IS NULL;
CREATE INDEX IF NOT EXISTS funding_lines_event ON funding_lines (event) WHERE event IS NOT NULL;`

/**
 * Funding lines that are not yet in a funding event, and all lines of money taken back. A payment's own money has no row once it is in a
 * funding event: the payment's `funding` refers to the event. This avoids a row per payment.
 */
export class FundingLines {
  /** Selects the waiting lines of an account and payment type: lines with an amount, oldest first, then lines of 0 cents. */
  static readonly waitingSql =
    'SELECT payment, reason, account, type, amount FROM funding_lines WHERE account = ? AND type = ? AND event IS NULL ORDER BY amount = 0, rowid LIMIT ?'

  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
    store.exec(table)
  }

  /** Adds a line to a funding event, or a waiting line without `event`. Ignores a second line with the same payment and reason. */
  add({ payment, reason, account, type, amount }: FundingLine, event: number | null = null): void {
    this.#store.run(
      'INSERT OR IGNORE INTO funding_lines (payment, reason, account, type, amount, event) VALUES (?, ?, ?, ?, ?, ?)',
      ...[payment, reason, account, type, amount, event],
    )
  }

  /** True if the payment's own money is in a waiting line. */
  mainWaits(payment: number): boolean {
    const sql = "SELECT 1 FROM funding_lines WHERE payment = ? AND reason IN ('credit', 'debit')"
    return this.#store.get(sql, payment) !== undefined
  }

  /**
   * Returns the lines for the next funding event of an account and payment type. Returns up to `atMost` lines. If those sum to 0, it
   * doubles the limit, because they would wait forever. Money taken back waits for a later event if the payment's own money is still among
   * the waiting lines.
   */
  collect(account: number, type: PaymentType, atMost: number): CollectedLines {
    for (let limit = atMost; ; limit *= 2) {
      const waitingLines = this.#store.all<FundingLine>(FundingLines.waitingSql, account, type, limit)
      const movedPayments = new Set(waitingLines.filter(isOwnMoney).map((line) => line.payment))
      const collected = waitingLines.filter((line) => isOwnMoney(line) || !movedPayments.has(line.payment))
      const sum = collected.reduce((total, line) => total + line.amount, 0)
      const isLastBatch = waitingLines.length < limit || waitingLines.at(-1)?.amount === 0
      if (sum !== 0 || isLastBatch) return { collected, sum, left: collected.length < waitingLines.length || waitingLines.length === limit }
    }
  }

  /** Puts a waiting line into a funding event. Deletes a line of the payment's own money, because the payment's `funding` records it. */
  place(line: FundingLine, event: number): void {
    const { payment, reason } = line
    if (isOwnMoney(line)) this.#store.run('DELETE FROM funding_lines WHERE payment = ? AND reason = ?', payment, reason)
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
