import { expect } from 'vitest'
import { paykeyMachine } from '@/sandbox/paykeys/paykey-store'
import { createAccountNumber } from '@/tests/sandbox/link-bank-account'
import { ObjectModel } from './object-model'
import type { ModelTestData } from './open-world'
import type { MoveRequest, ServiceObject } from './subject'
import type { MoveTally } from './tally'

/** Input for the paykey of a sequence. Only a paykey with source `plaid` gets a balance. */
export type PaykeyStart = {
  source: 'bank_account' | 'plaid'
  outcome: 'standard' | 'active' | 'review' | 'rejected'
  method: 'inline' | 'background'
}

const outcomeByReturnCode = {
  R29: 'failed_not_authorized',
  R05: 'failed_customer_dispute',
  R02: 'failed_closed_bank_account',
} as const

/**
 * Steps of a sequence: API requests, the return code of a charge that is returned, or seconds to
 * wait.
 */
export type PaykeyStep =
  | 'cancel'
  | 'approve'
  | 'reject'
  | 'unblock'
  | 'refresh_review'
  | 'refresh_balance'
  | 'repeat'
  | keyof typeof outcomeByReturnCode
  | number

/**
 * Move and status after a verification, by outcome (provider-facts 2.2). With `standard`, the
 * paykey passes, because the holder's name equals the customer's or is unknown.
 */
const moveAndStatusByOutcome = {
  standard: ['pass', 'active'],
  active: ['pass', 'active'],
  review: ['flag', 'review'],
  rejected: ['fail', 'rejected'],
} as const

const checkDurationsMs = { verification: 8_000, balance: 3_000 } as const
const usableStatuses = ['pending', 'active', 'review']

/**
 * Seconds from the release of a charge until its return has blocked the paykey. The block follows
 * the return by two seconds.
 */
const secondsUntilBlocked = 127

export class PaykeyModel {
  readonly #world: ModelTestData
  readonly #tally: MoveTally
  readonly #start: PaykeyStart
  readonly #object: ObjectModel
  /** Due times of the running verification and balance read, in milliseconds. */
  readonly #due: { verification?: number; balance?: number } = {}
  #unblocked = false

  private constructor(
    { world, tally }: { world: ModelTestData; tally: MoveTally },
    start: PaykeyStart,
    object: ObjectModel,
  ) {
    this.#world = world
    this.#tally = tally
    this.#start = start
    this.#object = object
    if (start.method === 'background')
      this.#due.verification = world.now() + checkDurationsMs.verification
    if (start.source === 'plaid') this.#due.balance = world.now() + checkDurationsMs.balance
  }

  static async begin(
    scene: { world: ModelTestData; tally: MoveTally },
    start: PaykeyStart,
  ): Promise<PaykeyModel> {
    const { client, account, customer } = scene.world
    const accountNumber = createAccountNumber()
    const bankNumbers = {
      routing_number: '021000021',
      account_number: accountNumber,
      account_type: 'checking',
    }
    const config = { sandbox_outcome: start.outcome, processing_method: start.method }
    const body = {
      customer_id: customer,
      config,
      ...(start.source === 'plaid' ? { plaid_token: `processor-${accountNumber}` } : bankNumbers),
    }
    const modelSubject = {
      client,
      table: paykeyMachine,
      path: '/v1/paykeys/:id',
      resource: 'paykey',
      tally: scene.tally,
    }
    const sendLink: MoveRequest['send'] = (key) =>
      client.post(`/v1/bridge/${start.source}`, body, { ...account.headers, ...key })
    const objectModel = await ObjectModel.begin(modelSubject, `bridge.${start.source}`, sendLink)
    expect(objectModel.state).toBe(
      start.method === 'background' ? 'pending' : moveAndStatusByOutcome[start.outcome][1],
    )
    return new PaykeyModel(scene, start, objectModel)
  }

  async take(step: PaykeyStep): Promise<void> {
    if (typeof step === 'number') await this.#wait(step)
    else if (step === 'repeat') await this.#object.repeat()
    else if (step === 'R29' || step === 'R05' || step === 'R02') await this.#bounce(step)
    else if (step === 'refresh_review' || step === 'refresh_balance') await this.#refresh(step)
    else await this.#change(step)
    const { status, unblock_eligible } = this.#object.whole
    expect(unblock_eligible).toBe(
      status === 'blocked' ? this.#code === 'R29' && !this.#unblocked : null,
    )
  }

  finish(): Promise<void> {
    return this.#object.finish()
  }

  get #path(): string {
    return `/v1/paykeys/${this.#object.whole.id}`
  }

  get #code(): unknown {
    return (this.#object.whole.status_details as { code: unknown }).code
  }

  async #wait(seconds: number): Promise<void> {
    const sandboxTimeMs = await this.#world.advance(seconds)
    const dueChecks = (['balance', 'verification'] as const)
      .flatMap((what) =>
        this.#due[what] === undefined ? [] : [{ what, at: this.#due[what] ?? 0 }],
      )
      .filter(({ at }) => at <= sandboxTimeMs)
      .toSorted((one, other) => one.at - other.at)
    await this.#object.look((before, after) => {
      const expectedPaykey = dueChecks.reduce<ServiceObject>(
        (paykey, { what, at }) => this.#play(paykey, what, at),
        before,
      )
      const { status_details, balance } = after
      expect(after).toEqual({
        ...expectedPaykey,
        ...(expectedPaykey.status === before.status ? {} : { status_details }),
        balance,
      })
      const expectedBalance = expectedPaykey.balance as { status: string }
      expect(balance).toMatchObject({ status: expectedBalance.status })
    })
    for (const { what } of dueChecks) delete this.#due[what]
  }

  /**
   * Returns the paykey after a due verification or balance read. Returns it unchanged if it is no
   * longer usable.
   */
  #play(
    paykey: ServiceObject,
    checkKind: 'balance' | 'verification',
    dueMs: number,
  ): ServiceObject {
    if (!usableStatuses.includes(paykey.status)) return paykey
    const changedPaykey = { ...paykey, updated_at: new Date(dueMs).toISOString() }
    if (checkKind === 'balance') {
      this.#object.expectEvent(paykey.status)
      return {
        ...changedPaykey,
        balance: { status: this.#start.source === 'plaid' ? 'completed' : 'failed' },
      }
    }
    const [move, status] = moveAndStatusByOutcome[this.#start.outcome]
    this.#tally.note(move, paykey.status)
    this.#object.expectEvent(status)
    return { ...changedPaykey, status }
  }

  async #change(move: 'cancel' | 'approve' | 'reject' | 'unblock'): Promise<void> {
    const { client } = this.#world
    const senderByMove: Record<typeof move, [string, MoveRequest['send']]> = {
      cancel: ['cancel', (key) => client.put(`${this.#path}/cancel`, { reason: 'Asked for' }, key)],
      approve: ['decide', (key) => client.patch(`${this.#path}/review`, { status: 'active' }, key)],
      reject: [
        'decide',
        (key) => client.patch(`${this.#path}/review`, { status: 'rejected' }, key),
      ],
      unblock: [
        'unblock',
        (key) => client.patch(`${this.#path}/unblock`, { message: 'Allow-listed' }, key),
      ],
    }
    const [operationVerb, send] = senderByMove[move]
    const expectedRefusalPattern = move === 'unblock' ? this.#vetoOfUnblock() : undefined
    const moveResult = await this.#object.ask({
      move,
      operation: `paykeys.${operationVerb}`,
      send,
      veto: expectedRefusalPattern,
    })
    if (moveResult !== 'moves') return
    if (move === 'unblock') this.#unblocked = true
    // A manual decision cancels a running verification.
    if (move === 'approve' || move === 'reject') delete this.#due.verification
  }

  /**
   * Returns the expected error text of an unblock; undefined if it must succeed. Only a block by
   * R29 can be undone, once per paykey.
   */
  #vetoOfUnblock(): RegExp | undefined {
    if (this.#object.state !== 'blocked') return undefined
    if (this.#unblocked) return /can be unblocked only once/
    return this.#code === 'R29' ? undefined : new RegExp(`code ${this.#code} cannot be unblocked`)
  }

  /** Requests a refresh. While one runs, a second request changes nothing. */
  async #refresh(move: 'refresh_review' | 'refresh_balance'): Promise<void> {
    const checkKind = move === 'refresh_review' ? 'verification' : 'balance'
    const sendRefresh: MoveRequest['send'] = (key) =>
      this.#world.client.ask(`${this.#path}/${move}`, { method: 'PUT', headers: key })
    const isCheckRunning = this.#due[checkKind] !== undefined
    const refreshResult = await this.#object.ask({
      move,
      operation: `paykeys.${move}`,
      send: sendRefresh,
      idle: isCheckRunning,
      answersBefore: true,
    })
    if (refreshResult === 'refused' || isCheckRunning) return
    this.#due[checkKind] = this.#world.now() + checkDurationsMs[checkKind]
    if (checkKind === 'balance')
      expect(this.#object.whole.balance).toMatchObject({ status: 'pending' })
  }

  /** Creates a charge whose return blocks the paykey. */
  async #bounce(code: keyof typeof outcomeByReturnCode): Promise<void> {
    // Let running verifications and balance reads end first, because they would change the paykey
    // before the return.
    await this.#wait(10)
    if (this.#object.state !== 'active') return
    const { client } = this.#world
    const paykey_id = this.#object.whole.id
    const { id } = await client.control<{ id: string }>('objects/charges', {
      paykey_id,
      sandbox_outcome: outcomeByReturnCode[code],
      amount: 100,
    })
    await client.put(`/v1/charges/${id}/release`, {})
    await this.#world.advance(secondsUntilBlocked)
    await this.#object.look((before, after) => {
      const { status_details, updated_at } = after
      expect(status_details).toMatchObject({
        code,
        reason: code === 'R02' ? 'closed_bank_account' : 'disputed',
        changed_at: updated_at,
      })
      const unblock_eligible = code === 'R29' && !this.#unblocked
      expect(after).toEqual({
        ...before,
        status: 'blocked',
        status_details,
        unblock_eligible,
        updated_at,
      })
    })
    this.#tally.note('block', 'active')
    this.#object.expectEvent('blocked')
  }
}
