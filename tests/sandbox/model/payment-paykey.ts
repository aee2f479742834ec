import { expect } from 'vitest'
import { linkBankAccount } from '@/tests/sandbox/link-bank-account'
import type { ModelTestData } from './open-world'

const paykeyRequests = {
  approve_paykey: { path: 'review', body: { status: 'active' }, from: ['review'], to: 'active' },
  reject_paykey: { path: 'review', body: { status: 'rejected' }, from: ['review'], to: 'rejected' },
  cancel_paykey: { path: 'cancel', body: {}, from: ['review', 'active'], to: 'inactive' },
} as const

/** Requests that change the paykey of a payment. */
export type PaykeyRequest = keyof typeof paykeyRequests

export const isPaykeyRequest = (step: string): step is PaykeyRequest => step in paykeyRequests

/** Duration of a repeated verification in milliseconds (provider-facts 3.7). */
const verificationDurationMs = 8_000

/** Model of a payment's paykey. It covers only what affects the payment. */
export class PaymentPaykeyModel {
  /** Unmasked token, which creating a payment requires. */
  readonly token: string
  readonly #world: ModelTestData
  readonly #id: string
  readonly #first: string
  #status: string
  /** End of the running verification in milliseconds; infinity if none runs. */
  #due = Number.POSITIVE_INFINITY

  private constructor(
    testData: ModelTestData,
    { id, paykey }: { id: string; paykey: string },
    firstStatus: string,
  ) {
    this.token = paykey
    this.#world = testData
    this.#id = id
    this.#first = firstStatus
    this.#status = firstStatus
  }

  static async link(
    testData: ModelTestData,
    status: 'active' | 'review',
  ): Promise<PaymentPaykeyModel> {
    const { client, account, customer } = testData
    return new PaymentPaykeyModel(
      testData,
      await linkBankAccount(client, account, customer, { config: { sandbox_outcome: status } }),
      status,
    )
  }

  get status(): string {
    return this.#status
  }

  get canBeVerified(): boolean {
    return ['active', 'review'].includes(this.#status)
  }

  /**
   * Returns the paykey's status at a time in milliseconds. A repeated verification has the same
   * result as the first, so a paykey first in review returns to review.
   */
  statusAt(timeMs: number): string {
    const isFlagged = this.#due <= timeMs && this.#first === 'review' && this.#status === 'active'
    return isFlagged ? 'review' : this.#status
  }

  /** Sets the paykey's status to its status at `now`, in milliseconds. */
  passTo(now: number): void {
    this.#status = this.statusAt(now)
    if (this.#due <= now) this.#due = Number.POSITIVE_INFINITY
  }

  async refresh(): Promise<void> {
    const { client, now } = this.#world
    expect(
      (await client.ask(`/v1/paykeys/${this.#id}/refresh_review`, { method: 'PUT' })).status,
    ).toBe(202)
    this.#due = Math.min(this.#due, now() + verificationDurationMs)
  }

  /**
   * Requests a change and returns the new status. If the current status does not allow it, sends no
   * request and returns undefined.
   */
  async ask(step: PaykeyRequest): Promise<string | undefined> {
    const { path, body, from, to } = paykeyRequests[step]
    if (!from.some((status) => status === this.#status)) return undefined
    const method = path === 'review' ? 'patch' : 'put'
    expect(
      (await this.#world.client[method](`/v1/paykeys/${this.#id}/${path}`, body)).json.data,
    ).toMatchObject({ status: to })
    this.#status = to
    // A manual decision cancels a running verification.
    this.#due = Number.POSITIVE_INFINITY
    return to
  }
}
