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
/**
 * Number of days whose payments get a funding event. An event collects the payments of one day and
 * is created on the next day, so the payments of the last day have none.
 */
const fundedDayCount = seededDayCount - 1

type FundingBucket = {
  n: number
  account: number
  type: PaymentType
  day: number
  sum: number
  count: number
}

type ReturnFundingLine = FundingLine & { main: number | null }

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
  readonly #returns = new Map<string, ReturnFundingLine[]>()
  readonly #waiting: FundingLine[] = []

  constructor(sandbox: Sandbox, time: SeedTime) {
    this.#sandbox = sandbox
    this.#time = time
  }

  /**
   * Adds a payment to its funding event. Call it before the payment is written, because it sets
   * `payment.funding`. A charge is funded on the day when it settles, a payout on the day when it
   * is sent.
   */
  take(payment: Payment): void {
    const fundedAt = payment.type === 'charge' ? payment.effective_at : payment.processed_at
    if (fundedAt !== null) this.#takeMain(payment, this.#dayOf(fundedAt))
    const { status, changed_at } = getCurrentState(payment)
    if (payment.processed_at === null || (status !== 'failed' && status !== 'reversed')) return
    const takenBackAmount = payment.type === 'charge' && status === 'failed' ? 0 : -payment.amount
    const returnLine: ReturnFundingLine = {
      ...toFundingLine(payment),
      reason: status === 'failed' ? 'failed' : 'reversal',
      amount: takenBackAmount,
      main: payment.funding,
    }
    const bucketKey = toBucketKey(
      payment.account,
      payment.type,
      this.#dayOf(Date.parse(changed_at)),
    )
    const returnLines = this.#returns.get(bucketKey)
    if (returnLines) returnLines.push(returnLine)
    else this.#returns.set(bucketKey, [returnLine])
  }

  /** Call it in a transaction, after the last call of `take`. */
  write(random: Random): void {
    const accountRowNumbers = new Set(this.#buckets.map((bucket) => bucket.account))
    for (const account of [...accountRowNumbers].sort((left, right) => left - right)) {
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
    const fundingBucket =
      this.#byKey.get(toBucketKey(payment.account, payment.type, dayIndex)) ??
      this.#open(payment.account, payment.type, dayIndex)
    fundingBucket.sum += payment.amount
    fundingBucket.count += 1
    payment.funding = fundingBucket.n
  }

  #open(account: number, type: PaymentType, dayIndex: number): FundingBucket {
    const newBucket = {
      n: this.#buckets.length + 1,
      account,
      type,
      day: dayIndex,
      sum: 0,
      count: 0,
    }
    this.#buckets.push(newBucket)
    this.#byKey.set(toBucketKey(account, type, dayIndex), newBucket)
    return newBucket
  }

  /**
   * Deducts the money that was taken back from the account's events. If the event of a day cannot
   * contain a line, the line moves to the next day.
   */
  #net(account: number, type: PaymentType): void {
    let carriedReturnLines: ReturnFundingLine[] = []
    for (let dayIndex = 0; dayIndex < fundedDayCount; dayIndex++) {
      const eventBucketKey = toBucketKey(account, type, dayIndex)
      const eventBucket = this.#byKey.get(eventBucketKey)
      const pendingReturnLines = [
        ...carriedReturnLines,
        ...(this.#returns.get(eventBucketKey) ?? []),
      ]
      // An event contains a payment only once. It cannot take back the money that it moved itself,
      // so a later event does.
      const eventReturnLines = pendingReturnLines.filter(
        (line) => eventBucket === undefined || line.main !== eventBucket.n,
      )
      const takenBackSum = eventReturnLines.reduce((total, line) => total + line.amount, 0)
      const hasReturns = eventReturnLines.length > 0 && takenBackSum + (eventBucket?.sum ?? 0) !== 0
      carriedReturnLines = hasReturns
        ? pendingReturnLines.filter((line) => !eventReturnLines.includes(line))
        : pendingReturnLines
      if (hasReturns)
        this.#takeBack(
          eventBucket ?? this.#open(account, type, dayIndex),
          eventReturnLines,
          takenBackSum,
        )
    }
    this.#waiting.push(
      ...carriedReturnLines,
      ...(this.#returns.get(toBucketKey(account, type, fundedDayCount)) ?? []),
    )
  }

  #takeBack(bucket: FundingBucket, returns: readonly ReturnFundingLine[], sum: number): void {
    bucket.sum += sum
    bucket.count += returns.length
    for (const line of returns) this.#sandbox.fundingEvents.lines.add(line, bucket.n)
  }

  #writeEvent(random: Random, bucket: FundingBucket): void {
    const { accounts, fundingEvents } = this.#sandbox
    const { account, type } = bucket
    // An event is created 20 hours after the end of the day that it collects. Each account and type
    // has its own minute.
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
    const simulatedFailureMove = random.chance(0.02)
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
        nextFundingMove.move === 'settle' && simulatedFailureMove?.move === 'fail'
          ? simulatedFailureMove
          : nextFundingMove
      moveFundingDoc(doc, n, move, cause, moveAt)
    }
    const reversedAt = Date.parse(doc.updated_at) + dayMs
    if (simulatedFailureMove?.move === 'reverse' && doc.status === 'paid' && reversedAt <= end)
      moveFundingDoc(doc, n, 'reverse', simulatedFailureMove.cause, reversedAt)
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
