import { expect } from 'vitest'
import { paymentMachine } from '@/sandbox/payments/payment-moves'
import { linkBankAccount } from '@/sandbox/testing/link-bank-account'
import { chargeBody, payoutBody } from '@/sandbox/testing/own-paykey'
import { multipart } from '@/sandbox/testing/sandbox-client'
import { dateAt } from '@/sandbox/testing/test-time'
import type { World } from './open-world'
import { type Circumstances, type Entry, foretell } from './payment-oracle'
import type { Tally } from './tally'
import { type Send, Walk, type Whole } from './walk'

/** How a payment of a sequence is made; `paykey` is the state of the one it is made on. */
export type PaymentStart = {
  type: 'charge' | 'payout'
  outcome: string
  balanceCheck: 'disabled' | 'enabled' | 'required'
  autoHold: boolean
  paykey: 'active' | 'review'
}

/** What can happen to a payment: what is asked for, what becomes of its paykey, and seconds that pass. */
export type PaymentStep =
  | 'hold'
  | 'release'
  | 'cancel'
  | 'update'
  | 'resubmit'
  | 'refund'
  | 'upload'
  | 'repeat'
  | 'approve_paykey'
  | 'reject_paykey'
  | 'cancel_paykey'
  | 'refresh_paykey'
  | number

const isAsk = (move: string): move is 'hold' | 'release' | 'cancel' | 'update' | 'resubmit' | 'refund' =>
  ['hold', 'release', 'cancel', 'update', 'resubmit', 'refund'].includes(move)

/** Where sequences run, and what counts what they came to. */
export type PaymentScene = { world: World; tally: Tally }

const historyOf = ({ status_history }: Whole) => status_history as (Entry & { message: string })[]
const wordless = (whole: Whole): Entry[] => historyOf(whole).map(({ message: _message, ...entry }) => entry)

const paykeyAsks = {
  approve_paykey: { path: 'review', body: { status: 'active' }, from: ['review'], to: 'active' },
  reject_paykey: { path: 'review', body: { status: 'rejected' }, from: ['review'], to: 'rejected' },
  cancel_paykey: { path: 'cancel', body: {}, from: ['review', 'active'], to: 'inactive' },
} as const

/** How long a new verification of a paykey takes (provider-facts 3.7). */
const verificationMs = 8_000

/** One payment on a paykey of its own, through its sequence. */
export class PaymentWalk {
  readonly #scene: PaymentScene
  readonly #start: PaymentStart
  readonly #paykey: string
  readonly #walk: Walk
  #paykeyStatus: string
  /** When the paykey's new verification ends, if one runs. */
  #paykeyDue = Number.POSITIVE_INFINITY

  private constructor(scene: PaymentScene, start: PaymentStart, paykey: string, walk: Walk) {
    this.#scene = scene
    this.#start = start
    this.#paykey = paykey
    this.#paykeyStatus = start.paykey
    this.#walk = walk
  }

  /** Links a paykey and makes the payment on it. */
  static async begin(scene: PaymentScene, start: PaymentStart): Promise<PaymentWalk> {
    const { world, tally } = scene
    const { client, account } = world
    const { type, outcome, balanceCheck, autoHold } = start
    const paykey = await linkBankAccount(client, account, world.customer, { config: { sandbox_outcome: start.paykey } })
    const config = { sandbox_outcome: outcome, auto_hold: autoHold, ...(type === 'charge' ? { balance_check: balanceCheck } : {}) }
    const bodyOf = type === 'charge' ? chargeBody : payoutBody
    const body = bodyOf(paykey.paykey, { payment_date: dateAt(world.now()), amount: 100, config })
    const subject = { client, table: paymentMachine, path: `/v1/${type}s/:id`, resource: type, noun: type, tally }
    const walk = await Walk.begin(subject, `${type}s.create`, (key) => client.post(`/v1/${type}s`, body, { ...account.headers, ...key }))
    expect(walk.state).toBe(autoHold ? 'on_hold' : 'created')
    return new PaymentWalk(scene, start, paykey.id, walk)
  }

  /** Does one step and checks what it did. */
  async take(step: PaymentStep): Promise<void> {
    if (typeof step === 'number') await this.#wait(step)
    else if (step === 'repeat') await this.#walk.repeat()
    else if (step === 'upload') await this.#upload()
    else if (step === 'refresh_paykey') await this.#refreshPaykey()
    else if (step in paykeyAsks) await this.#changePaykey(step as keyof typeof paykeyAsks)
    else if (step === 'resubmit' || step === 'refund') await this.#payAgain(step)
    else await this.#move(step as 'hold' | 'release' | 'cancel' | 'update')
    const { status, status_details } = this.#walk.whole
    expect(historyOf(this.#walk.whole).at(-1)).toEqual({ ...(status_details as object), status })
  }

  /** Asks for what the state it ended in refuses and no sequence tried there. */
  async refuseUntried(): Promise<void> {
    const { state } = this.#walk
    for (const move of this.#scene.tally.untried(paymentMachine, state)) {
      if (isAsk(move)) await this.take(move)
    }
  }

  /** Holds journal and events against what happened. To be put into a funding event is a change too, of which no table speaks. */
  async finish(): Promise<void> {
    await this.#walk.finish((before, after) => (after.funding_ids as string[]).length > (before.funding_ids as string[]).length)
  }

  #path(rest = ''): string {
    return `/v1/${this.#start.type}s/${this.#walk.whole.id}${rest}`
  }

  async #wait(seconds: number): Promise<void> {
    const now = await this.#scene.world.advance(seconds)
    const { type, outcome, balanceCheck } = this.#start
    const circumstances: Circumstances = {
      outcome,
      balanceCheck: type === 'charge' ? balanceCheck : null,
      paykeyAt: (at) => this.#paykeyAt(at),
    }
    await this.#walk.look((before, after) => {
      const foretold = foretell(wordless(before), circumstances, now)
      expect(wordless(after)).toEqual(foretold)
      this.#tell(foretold.slice(historyOf(before).length - 1))
      const firstAt = (status: string) => foretold.find((entry) => entry.status === status)?.changed_at ?? null
      expect([after.processed_at, after.effective_at]).toEqual([firstAt('pending'), firstAt('paid')])
    })
    this.#paykeyStatus = this.#paykeyAt(now)
    if (this.#paykeyDue <= now) this.#paykeyDue = Number.POSITIVE_INFINITY
  }

  /** A verification ends as the first one did: who was in review comes into review again. */
  #paykeyAt(at: number): string {
    const flagged = this.#paykeyDue <= at && this.#start.paykey === 'review' && this.#paykeyStatus === 'active'
    return flagged ? 'review' : this.#paykeyStatus
  }

  async #refreshPaykey(): Promise<void> {
    if (this.#isReturned || !['active', 'review'].includes(this.#paykeyStatus)) return
    // A time of its own, so that it never ends in the very moment of a step of the payment.
    await this.#wait(0.137)
    const { client, now } = this.#scene.world
    expect((await client.ask(`/v1/paykeys/${this.#paykey}/refresh_review`, { method: 'PUT' })).status).toBe(202)
    this.#paykeyDue = Math.min(this.#paykeyDue, now() + verificationMs)
  }

  /** A return blocks the paykey, which is another sequence's story. */
  get #isReturned(): boolean {
    return ['failed', 'reversed'].includes(this.#walk.state)
  }

  /** Each entry after the first is a move of the clock and has an event. */
  #tell(entries: readonly Entry[]): void {
    for (const [place, { status }] of entries.entries()) {
      const last = entries[place - 1]
      if (!last) continue
      this.#scene.tally.noteClock(paymentMachine, last.status, status)
      this.#walk.expectEvent(status)
    }
  }

  async #move(move: 'hold' | 'release' | 'cancel' | 'update'): Promise<void> {
    const { world } = this.#scene
    const before = historyOf(this.#walk.whole)
    const isUpdate = move === 'update'
    const change = { description: 'Corrected', amount: 101, payment_date: dateAt(world.now()) }
    const [path, body] = isUpdate ? [this.#path(), change] : [this.#path(`/${move}`), { reason: `Asked to ${move}` }]
    const operation = `${this.#start.type}s.${move}`
    const done = await this.#walk.ask({ move, operation, send: (key) => world.client.put(path, body, key) })
    const after = historyOf(this.#walk.whole)
    const cause = { reason: 'user_request', source: 'user_action', code: null, message: `Asked to ${move}` }
    const entry = { ...cause, status: this.#walk.whole.status, changed_at: after.at(-1)?.changed_at }
    expect(after).toEqual(done !== 'moves' || isUpdate ? before : [...before, entry])
    if (done === 'moves' && isUpdate) expect(this.#walk.whole).toMatchObject({ ...change, amount: '101' })
  }

  /** A refund and a resubmit make another payment. The first one of its kind marks this one; a later one leaves it as it is. */
  async #payAgain(move: 'resubmit' | 'refund'): Promise<void> {
    const { type } = this.#start
    // Payouts have no refund, not even a route for it.
    if (move === 'refund' && type === 'payout') return
    const before = this.#walk.whole
    const mark = move === 'refund' ? 'has_refund' : 'has_resubmit'
    const isFirst = before[mark] === false
    const made: Whole[] = []
    const send: Send = async (key) => {
      const answer = await this.#scene.world.client.post(this.#path(`/${move}`), {}, key)
      if (answer.status === 201) made.push(answer.json.data as Whole)
      return answer
    }
    const operation = `${type}s.${move}`
    if ((await this.#walk.ask({ move, operation, send, elsewhere: { changes: isFirst } })) === 'refused') return
    const [child] = made
    const original = { id: before.id, relationship: 'original', payment_type: type }
    expect(child).toMatchObject({ status: 'created', related_payments: [original] })
    expect(await this.#scene.world.client.effects(child?.id ?? '')).toMatchObject([{ operation, from: '', to: 'created' }])
    const link = { id: child?.id, relationship: move, payment_type: move === 'refund' ? 'payout' : type }
    const marked = { [mark]: true, related_payments: [...(before.related_payments as unknown[]), link] }
    const { updated_at } = this.#walk.whole
    expect(this.#walk.whole).toEqual(isFirst ? { ...before, ...marked, updated_at } : before)
  }

  async #upload(): Promise<void> {
    const count = (this.#walk.whole.documents as unknown[]).length
    const { body, headers } = multipart('proof.pdf', Buffer.from('%PDF-1.7 proof'))
    const path = this.#path('/authorization')
    const send: Send = (key) => this.#scene.world.client.ask(path, { method: 'POST', body, headers: { ...headers, ...key } })
    await this.#walk.write(`${this.#start.type}s.authorize`, send)
    expect(this.#walk.whole.documents).toHaveLength(count + 1)
  }

  /** A payment that waits for its paykey goes on or fails with it; any other one does not care before its next check. */
  async #changePaykey(step: keyof typeof paykeyAsks): Promise<void> {
    const { path, body, from, to } = paykeyAsks[step]
    if (this.#isReturned || !from.some((status) => status === this.#paykeyStatus)) return
    const { client } = this.#scene.world
    const method = path === 'review' ? 'patch' : 'put'
    expect((await client[method](`/v1/paykeys/${this.#paykey}/${path}`, body)).json.data).toMatchObject({ status: to })
    const waits =
      this.#walk.state === 'on_hold' &&
      historyOf(this.#walk.whole).at(-1)?.reason === 'watchtower_review' &&
      this.#paykeyStatus === 'review'
    this.#paykeyStatus = to
    // What a person decided, no verification that runs decides anew.
    this.#paykeyDue = Number.POSITIVE_INFINITY
    await this.#walk.look((before, after) => {
      if (!waits) return expect(after).toEqual(before)
      const goesOn = { status: 'created', reason: 'ok', source: 'system', code: null }
      const ends = { status: 'failed', reason: 'invalid_paykey', source: 'watchtower', code: null }
      const entry = { ...(to === 'active' ? goesOn : ends), changed_at: historyOf(after).at(-1)?.changed_at ?? '' }
      expect(wordless(after)).toEqual([...wordless(before), entry])
      this.#tell(wordless(after).slice(-2))
    })
  }
}
