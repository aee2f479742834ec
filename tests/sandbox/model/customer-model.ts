import { expect } from 'vitest'
import { customerMachine } from '@/sandbox/customers/customer-store'
import { buildCustomerBody } from '@/tests/sandbox/own-customer'
import { ObjectModel } from './object-model'
import type { ModelTestData } from './open-world'
import type { MoveRequest } from './subject'
import type { MoveTally } from './tally'

export type CustomerStart = {
  outcome: 'standard' | 'verified' | 'review' | 'rejected'
  method: 'inline' | 'background'
}

/**
 * Steps of a sequence: API requests, an update of the status with or without a new name, or seconds
 * to wait.
 */
export type CustomerStep =
  | 'decide_verified'
  | 'decide_rejected'
  | 'refresh'
  | 'delete'
  | 'repeat'
  | { set: (typeof customerMachine.states)[number]; rename: boolean }
  | number

/**
 * Status after a verification, by outcome (provider-facts 2.2). With `standard`, the customer
 * passes, because the tests invent the person and the sandbox finds nothing about them.
 */
const statusByOutcome = {
  standard: 'verified',
  verified: 'verified',
  review: 'review',
  rejected: 'rejected',
} as const

/** Duration of a background verification in milliseconds (provider-facts 3.7). */
const verificationDurationMs = 8_000

export class CustomerModel {
  readonly #world: ModelTestData
  readonly #start: CustomerStart
  readonly #tally: MoveTally
  readonly #object: ObjectModel
  readonly #body: Record<string, unknown>
  /** End of the running verification in milliseconds; undefined if none runs. */
  #due: number | undefined
  #names = 0
  #deleted = false

  private constructor(
    { world, tally }: { world: ModelTestData; tally: MoveTally },
    start: CustomerStart,
    body: Record<string, unknown>,
    object: ObjectModel,
  ) {
    this.#world = world
    this.#tally = tally
    this.#start = start
    this.#body = body
    this.#object = object
    this.#due =
      start.method === 'background'
        ? Date.parse(object.whole.updated_at) + verificationDurationMs
        : undefined
  }

  static async begin(
    scene: { world: ModelTestData; tally: MoveTally },
    start: CustomerStart,
  ): Promise<CustomerModel> {
    const { client, account } = scene.world
    const body = buildCustomerBody()
    const config = { sandbox_outcome: start.outcome, processing_method: start.method }
    const modelSubject = {
      client,
      table: customerMachine,
      path: '/v1/customers/:id',
      resource: 'customer',
      tally: scene.tally,
    }
    const sendCreation = (key: Record<string, string>) =>
      client.post('/v1/customers', { ...body, config }, { ...account.headers, ...key })
    const objectModel = await ObjectModel.begin(modelSubject, 'customers.create', sendCreation)
    expect(objectModel.state).toBe(
      start.method === 'background' ? 'pending' : statusByOutcome[start.outcome],
    )
    return new CustomerModel(scene, start, body, objectModel)
  }

  async take(step: CustomerStep): Promise<void> {
    if (this.#deleted) await this.#expectGone()
    else if (typeof step === 'number') await this.#wait(step)
    else if (step === 'repeat') await this.#object.repeat()
    else if (step === 'delete') await this.#delete()
    else if (typeof step === 'object') await this.#update(step)
    else await this.#ask(step)
  }

  finish(): Promise<void> {
    return this.#object.finish()
  }

  get #path(): string {
    return `/v1/customers/${this.#object.whole.id}`
  }

  async #wait(seconds: number): Promise<void> {
    const sandboxTimeMs = await this.#world.advance(seconds)
    const isVerificationDue =
      this.#due !== undefined && this.#due <= sandboxTimeMs && this.#object.state !== 'inactive'
    await this.#object.look((before, after) => {
      const updated_at = new Date(this.#due ?? 0).toISOString()
      expect(after).toEqual(
        isVerificationDue
          ? { ...before, status: statusByOutcome[this.#start.outcome], updated_at }
          : before,
      )
      if (!isVerificationDue) return
      this.#tally.noteClock(customerMachine, before.status, after.status)
      this.#object.expectEvent(after.status)
    })
    if (this.#due !== undefined && this.#due <= sandboxTimeMs) this.#due = undefined
  }

  async #ask(move: 'decide_verified' | 'decide_rejected' | 'refresh'): Promise<void> {
    const { client } = this.#world
    const decisionRequest: Pick<MoveRequest, 'operation' | 'send'> = {
      operation: 'customers.decide',
      send: (key) =>
        client.patch(`${this.#path}/review`, { status: move.slice('decide_'.length) }, key),
    }
    const refreshRequest: Pick<MoveRequest, 'operation' | 'send'> = {
      operation: 'customers.refresh_review',
      send: (key) => client.ask(`${this.#path}/refresh_review`, { method: 'PUT', headers: key }),
    }
    const moveResult = await this.#object.ask({
      move,
      ...(move === 'refresh' ? refreshRequest : decisionRequest),
    })
    if (moveResult === 'moves')
      this.#due = move === 'refresh' ? this.#world.now() + verificationDurationMs : undefined
  }

  /** Updates the customer. A new name starts a verification. A new status ends a running one. */
  async #update({ set, rename }: { set: string; rename: boolean }): Promise<void> {
    const statusBefore = this.#object.state
    if (rename) this.#names += 1
    const body = {
      ...this.#body,
      type: undefined,
      name: `Amara Okafor ${this.#names}`,
      status: set,
    }
    const isNameNew = this.#object.whole.name !== body.name
    const sendUpdate: MoveRequest['send'] = (key) => this.#world.client.put(this.#path, body, key)
    const updateResult = await this.#object.ask({
      move: `set_${set}`,
      operation: 'customers.update',
      send: sendUpdate,
      alreadyWrites: true,
    })
    if (updateResult === 'refused') return
    expect(this.#object.whole.name).toBe(body.name)
    if (statusBefore !== set) this.#due = undefined
    else if (isNameNew && (set === 'verified' || set === 'review'))
      this.#due = this.#world.now() + verificationDurationMs
  }

  async #delete(): Promise<void> {
    const sendDeletion: MoveRequest['send'] = (key) =>
      this.#world.client.ask(this.#path, { method: 'DELETE', headers: key })
    await this.#object.remove({ move: 'delete', operation: 'customers.delete', send: sendDeletion })
    this.#deleted = true
  }

  async #expectGone(): Promise<void> {
    const { client } = this.#world
    const responsePromises = [
      client.ask(this.#path),
      client.ask(this.#path, { method: 'DELETE' }),
      client.patch(`${this.#path}/review`, { status: 'verified' }),
    ]
    expect((await Promise.all(responsePromises)).map(({ status }) => status)).toEqual([
      404, 404, 404,
    ])
  }
}
