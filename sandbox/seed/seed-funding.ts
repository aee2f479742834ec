import { type FundingEvent, newFundingEvent } from '@/sandbox/funding/funding-event'
import {
  findFundingBank,
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
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { type SeedTime, seededDays } from './seed-time'

const minute = 60_000
const day = 24 * 60 * minute
/** Number of days with funding events. An event collects one day and is created on the next, so the money of the last day still waits. */
const fundedDays = seededDays - 1

type Bucket = { n: number; account: number; type: PaymentType; day: number; sum: number; count: number }

type ReturnLine = FundingLine & { main: number | null }

const returnCauses = (['failed_insufficient_funds', 'failed_closed_bank_account'] as const).flatMap(
  (outcome) => findForcedMove(outcome)?.cause ?? [],
)

/**
 * Puts seeded payments into funding events, one per account, type and day. First assigns an event number to each payment and adds up the
 * amounts; `write` then writes the events. Money taken back reduces the event of its day, or gets an event of its own.
 */
export class SeededFunding {
  readonly #sandbox: Sandbox
  readonly #time: SeedTime
  readonly #buckets: Bucket[] = []
  readonly #byKey = new Map<string, Bucket>()
  readonly #returns = new Map<string, ReturnLine[]>()
  readonly #waiting: FundingLine[] = []

  constructor(sandbox: Sandbox, time: SeedTime) {
    this.#sandbox = sandbox
    this.#time = time
  }

  /**
   * Assigns an event number to a payment that is not yet written. A charge is funded on the day it settles, a payout on the day it is sent.
   */
  take(payment: Payment): void {
    const movedAt = payment.type === 'charge' ? payment.effective_at : payment.processed_at
    if (movedAt !== null) this.#takeMain(payment, this.#dayOf(movedAt))
    const { status, changed_at } = getCurrentState(payment)
    if (payment.processed_at === null || (status !== 'failed' && status !== 'reversed')) return
    const amount = payment.type === 'charge' && status === 'failed' ? 0 : -payment.amount
    const line: ReturnLine = {
      ...toFundingLine(payment),
      reason: status === 'failed' ? 'failed' : 'reversal',
      amount,
      main: payment.funding,
    }
    const key = toBucketKey(payment.account, payment.type, this.#dayOf(Date.parse(changed_at)))
    const returnLines = this.#returns.get(key)
    if (returnLines) returnLines.push(line)
    else this.#returns.set(key, [line])
  }

  /** Writes all funding events, and the lines that wait. Must run in a transaction, after the last payment was taken. */
  write(random: Random): void {
    const accounts = new Set(this.#buckets.map((bucket) => bucket.account))
    for (const account of [...accounts].sort((left, right) => left - right)) {
      for (const type of paymentTypes) this.#net(account, type)
    }
    const { lines } = this.#sandbox.fundingEvents
    for (const line of this.#waiting) lines.add(line)
    for (const bucket of this.#buckets) this.#writeEvent(random, bucket)
  }

  #dayOf = (at: number): number => Math.floor((at - this.#time.start) / day)

  #takeMain(payment: Payment, at: number): void {
    if (at >= fundedDays) {
      this.#waiting.push(toFundingLine(payment))
      return
    }
    const bucket = this.#byKey.get(toBucketKey(payment.account, payment.type, at)) ?? this.#open(payment.account, payment.type, at)
    bucket.sum += payment.amount
    bucket.count += 1
    payment.funding = bucket.n
  }

  #open(account: number, type: PaymentType, at: number): Bucket {
    const bucket = { n: this.#buckets.length + 1, account, type, day: at, sum: 0, count: 0 }
    this.#buckets.push(bucket)
    this.#byKey.set(toBucketKey(account, type, at), bucket)
    return bucket
  }

  /** Adds money taken back to the events of an account and type, day by day. Lines that an event cannot contain move to the next day. */
  #net(account: number, type: PaymentType): void {
    let carriedLines: ReturnLine[] = []
    for (let at = 0; at < fundedDays; at++) {
      const key = toBucketKey(account, type, at)
      const eventBucket = this.#byKey.get(key)
      const openLines = [...carriedLines, ...(this.#returns.get(key) ?? [])]
      // An event contains each payment at most once.
      const fittingLines = openLines.filter((line) => eventBucket === undefined || line.main !== eventBucket.n)
      const sum = fittingLines.reduce((total, line) => total + line.amount, 0)
      const hasReturns = fittingLines.length > 0 && sum + (eventBucket?.sum ?? 0) !== 0
      carriedLines = hasReturns ? openLines.filter((line) => !fittingLines.includes(line)) : openLines
      if (hasReturns) this.#takeBack(eventBucket ?? this.#open(account, type, at), fittingLines, sum)
    }
    this.#waiting.push(...carriedLines, ...(this.#returns.get(toBucketKey(account, type, fundedDays)) ?? []))
  }

  #takeBack(bucket: Bucket, returns: readonly ReturnLine[], sum: number): void {
    bucket.sum += sum
    bucket.count += returns.length
    for (const line of returns) this.#sandbox.fundingEvents.lines.add(line, bucket.n)
  }

  #writeEvent(random: Random, bucket: Bucket): void {
    const { accounts, fundingEvents } = this.#sandbox
    const { account, type } = bucket
    // Evening of the next day. Each account and type has its own minute.
    const at = this.#time.start + (bucket.day + 1) * day + 20 * 60 * minute + (account * 2 + paymentTypes.indexOf(type)) * minute
    const fundingTime = accounts.at(account)?.doc.settings[`${type}s`].funding_time ?? 'one_day'
    const doc = newFundingEvent({
      id: this.#time.id(random, at),
      ...{ type, sum: bucket.sum, count: bucket.count, at: iso(at) },
      transfer_date: toTransferDate(at, fundingTime),
      config: { sandbox_outcome: 'standard' },
      linked_bank_account_details: findFundingBank(this.#sandbox, account, type),
    })
    this.#live(random, doc, bucket.n)
    const { n } = fundingEvents.insert(account, doc, null)
    if (n !== bucket.n) throw new RangeError(`funding event ${bucket.n} was written as ${n}`)
  }

  #live(random: Random, doc: FundingEvent, n: number): void {
    const { end } = this.#time
    const loss = random.chance(0.02) ? { cause: random.pick(returnCauses), move: random.pick(['fail', 'reverse'] as const) } : undefined
    for (let at = getNextFundingMoveAt(doc); at !== undefined && at <= end; at = getNextFundingMoveAt(doc)) {
      const usualMove = findNextFundingMove(doc)
      if (!usualMove) return
      const { move, cause } = usualMove.move === 'settle' && loss?.move === 'fail' ? loss : usualMove
      moveFundingDoc(doc, n, move, cause, at)
    }
    const reversedAt = Date.parse(doc.updated_at) + day
    if (loss?.move === 'reverse' && doc.status === 'paid' && reversedAt <= end) moveFundingDoc(doc, n, 'reverse', loss.cause, reversedAt)
  }
}

const toBucketKey = (account: number, type: PaymentType, at: number): string => `${account} ${type} ${at}`

const toFundingLine = (payment: Payment): FundingLine => ({
  payment: payment.n,
  reason: payment.type === 'charge' ? 'credit' : 'debit',
  account: payment.account,
  type: payment.type,
  amount: payment.amount,
})
