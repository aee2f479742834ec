import { buildFundingEvent, type FundingEvent } from '@/sandbox/funding/funding-event'
import {
  findFundingBankAccount,
  findNextFundingMove,
  getNextFundingMoveAt,
  moveFundingDoc,
  toTransferDate,
} from '@/sandbox/funding/funding-event-moves'
import type { FundingLine } from '@/sandbox/funding/funding-lines'
import { getCurrentState, type Payment } from '@/sandbox/payments/payment'
import { findForcedMove } from '@/sandbox/payments/payment-outcomes'
import { type PaymentType, paymentTypes } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { type SeedTime, seededDayCount } from './seed-time'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** An event collects one day's payments and is created on the next, so the last day has none. */
const fundedDayCount = seededDayCount - 1

type FundingBucket = {
  n: number
  account: number
  type: PaymentType
  day: number
  sum: number
  count: number
}

type ReturnLine = FundingLine & { main: number | null }

const returnCauses = (['failed_insufficient_funds', 'failed_closed_bank_account'] as const).flatMap(
  (outcome) => findForcedMove(outcome)?.cause ?? [],
)

/**
 * Assigns seeded payments to funding events, one event per account, payment type and day. Call
 * `take` for each payment, then `write` once. Money of a failed or reversed payment is taken back:
 * it reduces the event of that day, or gets an event of its own.
 */
export class FundingEventSeeder {
  readonly #sandbox: Sandbox
  readonly #time: SeedTime
  readonly #buckets: FundingBucket[] = []
  readonly #byKey = new Map<string, FundingBucket>()
  readonly #returns = new Map<string, ReturnLine[]>()
  readonly #waiting: FundingLine[] = []

  constructor(sandbox: Sandbox, time: SeedTime) {
    this.#sandbox = sandbox
    this.#time = time
  }

  /**
   * Call it before the payment is written. A charge is funded on the day when it settles, a payout
   * on the day when it is sent.
   */
  take(payment: Payment): void {
    const fundedAt = payment.type === 'charge' ? payment.effective_at : payment.processed_at
    if (fundedAt !== null) this.#takeMain(payment, this.#dayOf(fundedAt))
    const { status, changed_at } = getCurrentState(payment)
    if (payment.processed_at === null || (status !== 'failed' && status !== 'reversed')) return
    const takenBackAmount = payment.type === 'charge' && status === 'failed' ? 0 : -payment.amount
    const line: ReturnLine = {
      ...toFundingLine(payment),
      reason: status === 'failed' ? 'failed' : 'reversal',
      amount: takenBackAmount,
      main: payment.funding,
    }
    const key = toBucketKey(payment.account, payment.type, this.#dayOf(Date.parse(changed_at)))
    const returnLines = this.#returns.get(key)
    if (returnLines) returnLines.push(line)
    else this.#returns.set(key, [line])
  }

  /** Call it in a transaction, after the last call of `take`. */
  write(random: Random): void {
    const accountNumbers = new Set(this.#buckets.map((bucket) => bucket.account))
    for (const account of [...accountNumbers].sort((left, right) => left - right)) {
      for (const type of paymentTypes) this.#net(account, type)
    }
    const { lines } = this.#sandbox.fundingEvents
    for (const line of this.#waiting) lines.add(line)
    for (const bucket of this.#buckets) this.#writeEvent(random, bucket)
  }

  #dayOf = (timeMs: number): number => Math.floor((timeMs - this.#time.start) / dayMs)

  #takeMain(payment: Payment, dayIndex: number): void {
    if (dayIndex >= fundedDayCount) {
      this.#waiting.push(toFundingLine(payment))
      return
    }
    const bucket =
      this.#byKey.get(toBucketKey(payment.account, payment.type, dayIndex)) ??
      this.#open(payment.account, payment.type, dayIndex)
    bucket.sum += payment.amount
    bucket.count += 1
    payment.funding = bucket.n
  }

  #open(account: number, type: PaymentType, dayIndex: number): FundingBucket {
    const bucket = { n: this.#buckets.length + 1, account, type, day: dayIndex, sum: 0, count: 0 }
    this.#buckets.push(bucket)
    this.#byKey.set(toBucketKey(account, type, dayIndex), bucket)
    return bucket
  }

  /** Adds money taken back. A line moves to the next day if its day's event cannot contain it. */
  #net(account: number, type: PaymentType): void {
    let carriedLines: ReturnLine[] = []
    for (let dayIndex = 0; dayIndex < fundedDayCount; dayIndex++) {
      const key = toBucketKey(account, type, dayIndex)
      const eventBucket = this.#byKey.get(key)
      const openLines = [...carriedLines, ...(this.#returns.get(key) ?? [])]
      // An event contains a payment only once, so its money is taken back in a later event.
      const fittingLines = openLines.filter(
        (line) => eventBucket === undefined || line.main !== eventBucket.n,
      )
      const takenBackSum = fittingLines.reduce((total, line) => total + line.amount, 0)
      const hasReturns = fittingLines.length > 0 && takenBackSum + (eventBucket?.sum ?? 0) !== 0
      carriedLines = hasReturns
        ? openLines.filter((line) => !fittingLines.includes(line))
        : openLines
      if (hasReturns)
        this.#takeBack(
          eventBucket ?? this.#open(account, type, dayIndex),
          fittingLines,
          takenBackSum,
        )
    }
    this.#waiting.push(
      ...carriedLines,
      ...(this.#returns.get(toBucketKey(account, type, fundedDayCount)) ?? []),
    )
  }

  #takeBack(bucket: FundingBucket, returns: readonly ReturnLine[], sum: number): void {
    bucket.sum += sum
    bucket.count += returns.length
    for (const line of returns) this.#sandbox.fundingEvents.lines.add(line, bucket.n)
  }

  #writeEvent(random: Random, bucket: FundingBucket): void {
    const { accounts, fundingEvents } = this.#sandbox
    const { account, type } = bucket
    // 20 hours after the end of the collected day. Each account and type has its own minute.
    const createdAt =
      this.#time.start +
      (bucket.day + 1) * dayMs +
      20 * 60 * minuteMs +
      (account * 2 + paymentTypes.indexOf(type)) * minuteMs
    const fundingTime = accounts.at(account)?.doc.settings[`${type}s`].funding_time ?? 'one_day'
    const doc = buildFundingEvent({
      id: this.#time.id(random, createdAt),
      ...{ type, sum: bucket.sum, count: bucket.count, at: toIsoTime(createdAt) },
      transfer_date: toTransferDate(createdAt, fundingTime),
      config: { sandbox_outcome: 'standard' },
      linked_bank_account_details: findFundingBankAccount(this.#sandbox, account, type),
    })
    this.#live(random, doc, bucket.n)
    const { n } = fundingEvents.insert(account, doc, null)
    if (n !== bucket.n) throw new RangeError(`funding event ${bucket.n} was written as ${n}`)
  }

  #live(random: Random, doc: FundingEvent, n: number): void {
    const { end } = this.#time
    const simulatedFailure = random.chance(0.02)
      ? { cause: random.pick(returnCauses), move: random.pick(['fail', 'reverse'] as const) }
      : undefined
    for (
      let moveAt = getNextFundingMoveAt(doc);
      moveAt !== undefined && moveAt <= end;
      moveAt = getNextFundingMoveAt(doc)
    ) {
      const nextFundingMove = findNextFundingMove(doc)
      if (!nextFundingMove) return
      const { move, cause } =
        nextFundingMove.move === 'settle' && simulatedFailure?.move === 'fail'
          ? simulatedFailure
          : nextFundingMove
      moveFundingDoc(doc, n, move, cause, moveAt)
    }
    const reversedAt = Date.parse(doc.updated_at) + dayMs
    if (simulatedFailure?.move === 'reverse' && doc.status === 'paid' && reversedAt <= end)
      moveFundingDoc(doc, n, 'reverse', simulatedFailure.cause, reversedAt)
  }
}

const toBucketKey = (account: number, type: PaymentType, dayNumber: number): string =>
  `${account} ${type} ${dayNumber}`

const toFundingLine = (payment: Payment): FundingLine => ({
  payment: payment.n,
  reason: payment.type === 'charge' ? 'credit' : 'debit',
  account: payment.account,
  type: payment.type,
  amount: payment.amount,
})
