import { expect } from 'vitest'
import { paymentMachine } from '@/sandbox/payments/payment-moves'
import { buildMultipartBody } from '@/tests/sandbox/sandbox-client'
import { toPaymentDate } from '@/tests/sandbox/test-time'
import {
  type CopyMove,
  expectEndOfReview,
  expectMarkedForCopy,
  expectMoveInHistory,
  isFirstOfKind,
  readHistory,
  readHistoryWithoutMessages,
} from './expected-payment'
import { ObjectModel } from './object-model'
import type { ModelTestData } from './open-world'
import {
  buildCreationBody,
  isRequestedMove,
  type PaymentStart,
  type PaymentStep,
} from './payment-input'
import { type HistoryEntry, type PaymentCircumstances, predictHistory } from './payment-oracle'
import { isPaykeyRequest, type PaykeyRequest, PaymentPaykeyModel } from './payment-paykey'
import type { SendWrite, ServiceObject } from './subject'
import type { MoveTally } from './tally'

export type PaymentModelInput = { world: ModelTestData; tally: MoveTally }

export class PaymentModel {
  readonly #scene: PaymentModelInput
  readonly #start: PaymentStart
  readonly #paykey: PaymentPaykeyModel
  readonly #object: ObjectModel

  private constructor(
    scene: PaymentModelInput,
    start: PaymentStart,
    paykey: PaymentPaykeyModel,
    object: ObjectModel,
  ) {
    this.#scene = scene
    this.#start = start
    this.#paykey = paykey
    this.#object = object
  }

  static async begin(scene: PaymentModelInput, start: PaymentStart): Promise<PaymentModel> {
    const { world, tally } = scene
    const { client, account } = world
    const { type, autoHold } = start
    const paykey = await PaymentPaykeyModel.link(world, start.paykey)
    const body = buildCreationBody(start, paykey.token, world.now())
    const modelSubject = {
      client,
      table: paymentMachine,
      path: `/v1/${type}s/:id`,
      resource: type,
      noun: type,
      tally,
    }
    const objectModel = await ObjectModel.begin(modelSubject, `${type}s.create`, (key) =>
      client.post(`/v1/${type}s`, body, { ...account.headers, ...key }),
    )
    expect(objectModel.state).toBe(autoHold ? 'on_hold' : 'created')
    return new PaymentModel(scene, start, paykey, objectModel)
  }

  async take(step: PaymentStep): Promise<void> {
    if (typeof step === 'number') await this.#wait(step)
    else if (step === 'repeat') await this.#object.repeat()
    else if (step === 'upload') await this.#upload()
    else if (step === 'refresh_paykey') await this.#refreshPaykey()
    else if (isPaykeyRequest(step)) await this.#changePaykey(step)
    else if (step === 'resubmit' || step === 'refund') await this.#payAgain(step)
    else await this.#move(step as 'hold' | 'release' | 'cancel' | 'update')
    const { status, status_details } = this.#object.whole
    expect(readHistory(this.#object.whole).at(-1)).toEqual({
      ...(status_details as object),
      status,
    })
  }

  /**
   * Requests each move that the state machine refuses in the payment's current state, if no
   * sequence has requested it in that state.
   */
  async refuseUntried(): Promise<void> {
    const { state } = this.#object
    for (const move of this.#scene.tally.untried(paymentMachine, state)) {
      if (isRequestedMove(move)) await this.take(move)
    }
  }

  /**
   * Checks journal and events. Skips the events of funding, which changes the payment outside the
   * state machine.
   */
  async finish(): Promise<void> {
    await this.#object.finish(
      (before, after) =>
        (after.funding_ids as string[]).length > (before.funding_ids as string[]).length,
    )
  }

  #path(rest = ''): string {
    return `/v1/${this.#start.type}s/${this.#object.whole.id}${rest}`
  }

  async #wait(seconds: number): Promise<void> {
    const sandboxTimeMs = await this.#scene.world.advance(seconds)
    const { type, outcome, balanceCheck } = this.#start
    const circumstances: PaymentCircumstances = {
      outcome,
      balanceCheck: type === 'charge' ? balanceCheck : null,
      paykeyAt: (at) => this.#paykey.statusAt(at),
    }
    await this.#object.look((before, after) => {
      const predictedHistory = predictHistory(
        readHistoryWithoutMessages(before),
        circumstances,
        sandboxTimeMs,
      )
      expect(readHistoryWithoutMessages(after)).toEqual(predictedHistory)
      this.#tell(predictedHistory.slice(readHistory(before).length - 1))
      const findFirstTime = (status: string) =>
        predictedHistory.find((entry) => entry.status === status)?.changed_at ?? null
      expect([after.processed_at, after.effective_at]).toEqual([
        findFirstTime('pending'),
        findFirstTime('paid'),
      ])
    })
    this.#paykey.passTo(sandboxTimeMs)
  }

  async #refreshPaykey(): Promise<void> {
    if (this.#isReturned || !this.#paykey.canBeVerified) return
    // Wait a fraction of a second first. The verification then never ends at the same time as a
    // move of the payment, which would make their order unclear.
    await this.#wait(0.137)
    await this.#paykey.refresh()
  }

  /**
   * True if the bank returned the payment. The return may block the paykey, which the tests of
   * paykeys cover.
   */
  get #isReturned(): boolean {
    return ['failed', 'reversed'].includes(this.#object.state)
  }

  /**
   * For each history entry after the first: adds an expected event, and records in the tally that
   * the clock made the move.
   */
  #tell(entries: readonly HistoryEntry[]): void {
    for (const [place, { status }] of entries.entries()) {
      const previousEntry = entries[place - 1]
      if (!previousEntry) continue
      this.#scene.tally.noteClock(paymentMachine, previousEntry.status, status)
      this.#object.expectEvent(status)
    }
  }

  async #move(move: 'hold' | 'release' | 'cancel' | 'update'): Promise<void> {
    const { world } = this.#scene
    const paymentBefore = this.#object.whole
    const isUpdate = move === 'update'
    const paymentUpdate = {
      description: 'Corrected',
      amount: 101,
      payment_date: toPaymentDate(world.now()),
    }
    const [path, body] = isUpdate
      ? [this.#path(), paymentUpdate]
      : [this.#path(`/${move}`), { reason: `Asked to ${move}` }]
    const operation = `${this.#start.type}s.${move}`
    const moveResult = await this.#object.ask({
      move,
      operation,
      send: (key) => world.client.put(path, body, key),
    })
    const addsHistoryEntry = moveResult === 'moves' && !isUpdate
    expectMoveInHistory(paymentBefore, this.#object.whole, addsHistoryEntry ? move : null)
    if (moveResult === 'moves' && isUpdate)
      expect(this.#object.whole).toMatchObject({ ...paymentUpdate, amount: '101' })
  }

  /**
   * Requests a refund or resubmit, which creates another payment. The first of each kind also marks
   * this payment. A later one must not change it.
   */
  async #payAgain(move: CopyMove): Promise<void> {
    const { type } = this.#start
    // A payout cannot be refunded.
    if (move === 'refund' && type === 'payout') return
    const paymentBefore = this.#object.whole
    const createdPayments: ServiceObject[] = []
    const sendCopyRequest: SendWrite = async (key) => {
      const copyResponse = await this.#scene.world.client.post(this.#path(`/${move}`), {}, key)
      if (copyResponse.status === 201) createdPayments.push(copyResponse.json.data as ServiceObject)
      return copyResponse
    }
    const operation = `${type}s.${move}`
    const moveResult = await this.#object.ask({
      move,
      operation,
      send: sendCopyRequest,
      elsewhere: { changes: isFirstOfKind(paymentBefore, move) },
    })
    if (moveResult === 'refused') return
    const [createdPayment] = createdPayments
    const copyId = createdPayment?.id ?? ''
    const originalLink = { id: paymentBefore.id, relationship: 'original', payment_type: type }
    expect(createdPayment).toMatchObject({ status: 'created', related_payments: [originalLink] })
    expect(await this.#scene.world.client.effects(copyId)).toMatchObject([
      { operation, from: '', to: 'created' },
    ])
    expectMarkedForCopy(paymentBefore, this.#object.whole, { move, type, copyId })
  }

  async #upload(): Promise<void> {
    const documentCount = (this.#object.whole.documents as unknown[]).length
    const { body, headers } = buildMultipartBody('proof.pdf', Buffer.from('%PDF-1.7 proof'))
    const path = this.#path('/authorization')
    const sendUpload: SendWrite = (key) =>
      this.#scene.world.client.ask(path, { method: 'POST', body, headers: { ...headers, ...key } })
    await this.#object.write(`${this.#start.type}s.authorize`, sendUpload)
    expect(this.#object.whole.documents).toHaveLength(documentCount + 1)
  }

  /**
   * Changes the paykey. A payment held for the paykey's review must continue or fail. Any other
   * payment must not change until its next check.
   */
  async #changePaykey(step: PaykeyRequest): Promise<void> {
    if (this.#isReturned) return
    const oldStatus = this.#paykey.status
    const newStatus = await this.#paykey.ask(step)
    if (newStatus === undefined) return
    const isHeldForReview =
      this.#object.state === 'on_hold' &&
      readHistory(this.#object.whole).at(-1)?.reason === 'watchtower_review'
    const isWaitingForReview = isHeldForReview && oldStatus === 'review'
    await this.#object.look((before, after) => {
      if (!isWaitingForReview) return expect(after).toEqual(before)
      expectEndOfReview(before, after, newStatus)
      this.#tell(readHistoryWithoutMessages(after).slice(-2))
    })
  }
}
