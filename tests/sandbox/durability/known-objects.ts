import type { Random } from '@/sandbox/store/random'
import type { ServiceConnectionPool } from './service-connection-pool'
import { isAcknowledged, readResponseData, toCollection, type Write, type WriteResponse } from './write'

export type KnownPayment = { id: string; type: 'charges' | 'payouts'; account: string; status: string }

export type KnownPaykey = { id: string; token: string; account: string; customer: string; status: string }

export type KnownCustomer = { id: string; account: string; status: string; email: string }

// Number of recent objects to choose from. Older ones are mostly final, and a larger number would slow the load.
const recentCount = 300

/** Objects known from responses, from which the next writes choose. */
export class KnownObjects {
  readonly payments = new Map<string, KnownPayment>()
  readonly paykeys = new Map<string, KnownPaykey>()
  readonly customers = new Map<string, KnownCustomer>()
  /** Payment date of new payments, on the sandbox's clock. */
  today = ''

  learn(write: Write, answer: WriteResponse): void {
    if (!isAcknowledged(answer)) return
    const collection = toCollection(write.operation)
    this.learnObject(collection, write.account, readResponseData(answer))
    if (write.operation === 'customers.delete') this.#forgetCustomer(readResponseData(answer).id)
  }

  /** Adds an object from a response. A masked token does not replace the unmasked one. */
  learnObject(collection: ReturnType<typeof toCollection>, account: string, data: Record<string, unknown> & { id: string }): void {
    const { id } = data
    const status = String(data.status)
    if (collection === 'customers') this.customers.set(id, { id, account, status, email: String(data.email) })
    else if (collection === 'paykeys') {
      const token = this.paykeys.get(id)?.token ?? String(data.paykey)
      this.paykeys.set(id, { id, token, account, customer: String(data.customer_id), status })
    } else this.payments.set(id, { id, type: collection, account, status })
  }

  /** Reads recent objects again, because timers may have moved payments and returns may have blocked paykeys. */
  async refresh(service: ServiceConnectionPool): Promise<void> {
    const paykeys = [...this.paykeys.values()].slice(-recentCount)
    const payments = [...this.payments.values()].slice(-recentCount)
    for (const { id, account, collection } of [
      ...paykeys.map((one) => ({ ...one, collection: 'paykeys' as const })),
      ...payments.map((one) => ({ ...one, collection: one.type })),
    ]) {
      const { status, json } = await service.get(`/v1/${collection}/${id}`)
      if (status === 200) this.learnObject(collection, account, json.data as { id: string })
    }
  }

  /** Returns a random recent payment whose last known status is one of `statuses`; undefined if there is none. */
  payment(random: Random, statuses: readonly string[], type?: KnownPayment['type']): KnownPayment | undefined {
    return pickRecent(random, this.payments, (one) => statuses.includes(one.status) && (type === undefined || one.type === type))
  }

  paykey(random: Random, ...statuses: string[]): KnownPaykey | undefined {
    return pickRecent(random, this.paykeys, ({ status }) => statuses.includes(status))
  }

  customer(random: Random): KnownCustomer | undefined {
    return pickRecent(random, this.customers, ({ status }) => status === 'verified')
  }

  #forgetCustomer(id: string): void {
    this.customers.delete(id)
    for (const paykey of this.paykeys.values()) if (paykey.customer === id) this.paykeys.delete(paykey.id)
  }
}

function pickRecent<T>(random: Random, all: ReadonlyMap<string, T>, isSuitable: (one: T) => boolean): T | undefined {
  const suitable = [...all.values()].slice(-recentCount).filter(isSuitable)
  return suitable.length === 0 ? undefined : random.pick(suitable)
}
