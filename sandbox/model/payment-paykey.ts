import { expect } from 'vitest'
import { linkBankAccount } from '@/sandbox/testing/link-bank-account'
import type { World } from './open-world'

const asks = {
  approve_paykey: { path: 'review', body: { status: 'active' }, from: ['review'], to: 'active' },
  reject_paykey: { path: 'review', body: { status: 'rejected' }, from: ['review'], to: 'rejected' },
  cancel_paykey: { path: 'cancel', body: {}, from: ['review', 'active'], to: 'inactive' },
} as const

/** What can be asked of the paykey while its payment is on its way. */
export type PaykeyAsk = keyof typeof asks

/** Whether a step is one of them. */
export const isPaykeyAsk = (step: string): step is PaykeyAsk => step in asks

/** How long a new verification of a paykey takes (provider-facts 3.7). */
const verificationMs = 8_000

/** The model of the paykey that a payment is made on, as far as the payment depends on it. */
export class PaymentPaykey {
  /** The full token, which pays. */
  readonly token: string
  readonly #world: World
  readonly #id: string
  /** The state its first verification came to. */
  readonly #first: string
  #status: string
  /** When the new verification ends, if one runs. */
  #due = Number.POSITIVE_INFINITY

  private constructor(world: World, { id, paykey }: { id: string; paykey: string }, first: string) {
    this.token = paykey
    this.#world = world
    this.#id = id
    this.#first = first
    this.#status = first
  }

  /** Links a bank account whose verification comes to this state. */
  static async link(world: World, status: 'active' | 'review'): Promise<PaymentPaykey> {
    const { client, account, customer } = world
    return new PaymentPaykey(world, await linkBankAccount(client, account, customer, { config: { sandbox_outcome: status } }), status)
  }

  /** The state it is in. */
  get status(): string {
    return this.#status
  }

  /** Whether a verification may be asked for. */
  get canBeVerified(): boolean {
    return ['active', 'review'].includes(this.#status)
  }

  /** The state at a time, in milliseconds. A verification ends as the first one did: who was in review comes into review again. */
  statusAt(at: number): string {
    const flagged = this.#due <= at && this.#first === 'review' && this.#status === 'active'
    return flagged ? 'review' : this.#status
  }

  /** Takes in that the clock says `now`. */
  passTo(now: number): void {
    this.#status = this.statusAt(now)
    if (this.#due <= now) this.#due = Number.POSITIVE_INFINITY
  }

  /** Asks for a new verification. */
  async refresh(): Promise<void> {
    const { client, now } = this.#world
    expect((await client.ask(`/v1/paykeys/${this.#id}/refresh_review`, { method: 'PUT' })).status).toBe(202)
    this.#due = Math.min(this.#due, now() + verificationMs)
  }

  /** Asks for a change and gives the state it leads to; undefined, and nothing is asked, where the state does not allow it. */
  async ask(step: PaykeyAsk): Promise<string | undefined> {
    const { path, body, from, to } = asks[step]
    if (!from.some((status) => status === this.#status)) return undefined
    const method = path === 'review' ? 'patch' : 'put'
    expect((await this.#world.client[method](`/v1/paykeys/${this.#id}/${path}`, body)).json.data).toMatchObject({ status: to })
    this.#status = to
    // What a person decided, no verification that runs decides again.
    this.#due = Number.POSITIVE_INFINITY
    return to
  }
}
