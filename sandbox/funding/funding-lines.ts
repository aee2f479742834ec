import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { SqliteStore } from '@/sandbox/store/store'
import type { FundingReason } from './funding-event'

/** `payment` and `account` are row numbers; `amount` is in cents, negative for money taken back. */
export type FundingLine = {
  payment: number
  reason: FundingReason
  account: number
  type: PaymentType
  amount: number
}

/** True if the line moves the payment's own money, false if the line takes this money back. */
export const isMoneyMovingLine = ({ reason }: { reason: FundingReason }): boolean =>
  reason === 'credit' || reason === 'debit'

export type CollectedFundingLines = { collected: FundingLine[]; sum: number; left: boolean }

const fundingLinesTableSql = `
CREATE TABLE IF NOT EXISTS funding_lines (
  payment INTEGER NOT NULL, reason TEXT NOT NULL, account INTEGER NOT NULL, type TEXT NOT NULL, amount INTEGER NOT NULL, event INTEGER,
  PRIMARY KEY (payment, reason)
);
CREATE INDEX IF NOT EXISTS funding_lines_waiting ON funding_lines (account, type, amount = 0) WHERE event IS NULL;
CREATE INDEX IF NOT EXISTS funding_lines_event ON funding_lines (event) WHERE event IS NOT NULL;`

/**
 * Table of the funding lines that wait for a funding event, and of all lines that take money back.
 * When a funding event collects a payment's own money, that line is deleted, and the payment's
 * `funding` refers to the event instead. So most payments need no row.
 */
export class FundingLines {
  /** Lines of 0 cents come last. */
  static readonly waitingSql =
    'SELECT payment, reason, account, type, amount FROM funding_lines WHERE account = ? AND type = ? AND event IS NULL ORDER BY amount = 0, rowid LIMIT ?'

  readonly #store: SqliteStore

  constructor(store: SqliteStore) {
    this.#store = store
    store.exec(fundingLinesTableSql)
  }

  /** Without `event`, the line waits for a funding event. Ignores a repeated payment and reason. */
  add({ payment, reason, account, type, amount }: FundingLine, event: number | null = null): void {
    this.#store.run(
      'INSERT OR IGNORE INTO funding_lines (payment, reason, account, type, amount, event) VALUES (?, ?, ?, ?, ?, ?)',
      ...[payment, reason, account, type, amount, event],
    )
  }

  /** True if the line of the payment's own money still waits for a funding event. */
  mainWaits(paymentNumber: number): boolean {
    const selectMoneyLineSql =
      "SELECT 1 FROM funding_lines WHERE payment = ? AND reason IN ('credit', 'debit')"
    return this.#store.get(selectMoneyLineSql, paymentNumber) !== undefined
  }

  /**
   * If the first `atMost` lines sum to 0, they create no funding event and would wait forever, so
   * the limit is doubled. If a payment and its return both wait, the return goes into a later event.
   */
  collect(account: number, type: PaymentType, atMost: number): CollectedFundingLines {
    for (let limit = atMost; ; limit *= 2) {
      const waitingLines = this.#store.all<FundingLine>(
        FundingLines.waitingSql,
        account,
        type,
        limit,
      )
      const movedPaymentNumbers = new Set(
        waitingLines.filter(isMoneyMovingLine).map((line) => line.payment),
      )
      const collectedLines = waitingLines.filter(
        (line) => isMoneyMovingLine(line) || !movedPaymentNumbers.has(line.payment),
      )
      const collectedSum = collectedLines.reduce((total, line) => total + line.amount, 0)
      const isLastBatch = waitingLines.length < limit || waitingLines.at(-1)?.amount === 0
      if (collectedSum !== 0 || isLastBatch)
        return {
          collected: collectedLines,
          sum: collectedSum,
          left: collectedLines.length < waitingLines.length || waitingLines.length === limit,
        }
    }
  }

  /** Deletes a payment's own line, because the payment's `funding` then refers to the event. */
  place(line: FundingLine, eventNumber: number): void {
    const { payment, reason } = line
    if (isMoneyMovingLine(line))
      this.#store.run('DELETE FROM funding_lines WHERE payment = ? AND reason = ?', payment, reason)
    else
      this.#store.run(
        'UPDATE funding_lines SET event = ? WHERE payment = ? AND reason = ?',
        eventNumber,
        payment,
        reason,
      )
  }

  takenBack(
    eventNumber: number,
    paymentNumber: number,
  ): Pick<FundingLine, 'reason' | 'amount'> | undefined {
    return this.#store.get(
      'SELECT reason, amount FROM funding_lines WHERE payment = ? AND event = ?',
      paymentNumber,
      eventNumber,
    )
  }

  paymentsTakenBack(eventNumber: number): number[] {
    return this.#store
      .all<{ payment: number }>('SELECT payment FROM funding_lines WHERE event = ?', eventNumber)
      .map((row) => row.payment)
  }

  eventsTakingBack(paymentNumber: number): number[] {
    const paymentEventsSql =
      'SELECT event FROM funding_lines WHERE payment = ? AND event IS NOT NULL ORDER BY rowid'
    return this.#store
      .all<{ event: number }>(paymentEventsSql, paymentNumber)
      .map((row) => row.event)
  }
}
