import type { Random } from '@/sandbox/store/random'
import type { ServiceConnectionPool } from './service-connection-pool'
import {
  isAcknowledged,
  readResponseData,
  toCollection,
  type WriteRequest,
  type WriteResponse,
} from './write'

export type KnownPayment = {
  id: string
  type: 'charges' | 'payouts'
  account: string
  status: string
}

export type KnownPaykey = {
  id: string
  token: string
  account: string
  customer: string
  status: string
}

export type KnownCustomer = { id: string; account: string; status: string; email: string }

// Number of recent objects from which a write chooses. Older objects are mostly in a final status,
// and more objects would slow the test.
const recentObjectCount = 300

/** Objects that responses contained. Each new write chooses one of them to change. */
export class KnownObjects {
  readonly payments = new Map<string, KnownPayment>()
  readonly paykeys = new Map<string, KnownPaykey>()
  readonly customers = new Map<string, KnownCustomer>()
  /** Payment date of new payments: today on the sandbox's clock. */
  today = ''

  learn(write: WriteRequest, answer: WriteResponse): void {
    if (!isAcknowledged(answer)) return
    const collection = toCollection(write.operation)
    this.learnObject(collection, write.account, readResponseData(answer))
    if (write.operation === 'customers.delete') this.#forgetCustomer(readResponseData(answer).id)
  }

  /**
   * Adds or replaces an object from a response. Keeps the first token of a paykey, because later
   * responses mask it.
   */
  learnObject(
    collection: ReturnType<typeof toCollection>,
    account: string,
    data: Record<string, unknown> & { id: string },
  ): void {
    const { id } = data
    const status = String(data.status)
    if (collection === 'customers')
      this.customers.set(id, { id, account, status, email: String(data.email) })
    else if (collection === 'paykeys') {
      const token = this.paykeys.get(id)?.token ?? String(data.paykey)
      this.paykeys.set(id, { id, token, account, customer: String(data.customer_id), status })
    } else this.payments.set(id, { id, type: collection, account, status })
  }

  /**
   * Reads recent objects again, because timers may have changed payments, and returned payments may
   * have blocked paykeys.
   */
  async refresh(service: ServiceConnectionPool): Promise<void> {
    const recentPaykeys = [...this.paykeys.values()].slice(-recentObjectCount)
    const recentPayments = [...this.payments.values()].slice(-recentObjectCount)
    for (const { id, account, collection } of [
      ...recentPaykeys.map((one) => ({ ...one, collection: 'paykeys' as const })),
      ...recentPayments.map((one) => ({ ...one, collection: one.type })),
    ]) {
      const { status, json } = await service.get(`/v1/${collection}/${id}`)
      if (status === 200) this.learnObject(collection, account, json.data as { id: string })
    }
  }

  /**
   * Returns a random recent payment whose last known status is one of `statuses`; undefined if
   * there is none.
   */
  payment(
    random: Random,
    statuses: readonly string[],
    type?: KnownPayment['type'],
  ): KnownPayment | undefined {
    return pickRecentObject(
      random,
      this.payments,
      (one) => statuses.includes(one.status) && (type === undefined || one.type === type),
    )
  }

  paykey(random: Random, ...statuses: string[]): KnownPaykey | undefined {
    return pickRecentObject(random, this.paykeys, ({ status }) => statuses.includes(status))
  }

  customer(random: Random): KnownCustomer | undefined {
    return pickRecentObject(random, this.customers, ({ status }) => status === 'verified')
  }

  #forgetCustomer(id: string): void {
    this.customers.delete(id)
    for (const paykey of this.paykeys.values())
      if (paykey.customer === id) this.paykeys.delete(paykey.id)
  }
}

function pickRecentObject<T>(
  random: Random,
  objectsById: ReadonlyMap<string, T>,
  isSuitable: (one: T) => boolean,
): T | undefined {
  const suitableObjects = [...objectsById.values()].slice(-recentObjectCount).filter(isSuitable)
  return suitableObjects.length === 0 ? undefined : random.pick(suitableObjects)
}
