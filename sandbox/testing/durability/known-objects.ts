import type { Random } from '@/sandbox/store/random'
import type { ServiceLine } from './service-line'
import { type Answered, collectionOf, dataOf, isAcknowledged, type Write } from './write'

export type KnownPayment = { id: string; type: 'charges' | 'payouts'; account: string; status: string }

export type KnownPaykey = { id: string; token: string; account: string; customer: string; status: string }

export type KnownCustomer = { id: string; account: string; status: string; email: string }

// Only the youngest are written to again: older ones have ended, and looking through all would slow the load down.
const young = 300

/** What the run has learnt from answers; what it does next is chosen from this. */
export class KnownObjects {
  readonly payments = new Map<string, KnownPayment>()
  readonly paykeys = new Map<string, KnownPaykey>()
  readonly customers = new Map<string, KnownCustomer>()
  /** The date payments are made for, as the service's clock has it. */
  today = ''

  /** Takes in an acknowledged answer. */
  learn(write: Write, answer: Answered): void {
    if (!isAcknowledged(answer)) return
    const collection = collectionOf(write.operation)
    this.learnObject(collection, write.account, dataOf(answer))
    if (write.operation === 'customers.delete') this.#forgetCustomer(dataOf(answer).id)
  }

  /** Takes in an object as a read shows it. A token that is masked leaves the full one as it is. */
  learnObject(collection: ReturnType<typeof collectionOf>, account: string, data: Record<string, unknown> & { id: string }): void {
    const { id } = data
    const status = String(data.status)
    if (collection === 'customers') this.customers.set(id, { id, account, status, email: String(data.email) })
    else if (collection === 'paykeys') {
      const token = this.paykeys.get(id)?.token ?? String(data.paykey)
      this.paykeys.set(id, { id, token, account, customer: String(data.customer_id), status })
    } else this.payments.set(id, { id, type: collection, account, status })
  }

  /** Reads the younger ones again: the clock may have moved them, and a return may have blocked their paykeys. */
  async refresh(line: ServiceLine): Promise<void> {
    const paykeys = [...this.paykeys.values()].slice(-young)
    const payments = [...this.payments.values()].slice(-young)
    for (const { id, account, collection } of [
      ...paykeys.map((one) => ({ ...one, collection: 'paykeys' as const })),
      ...payments.map((one) => ({ ...one, collection: one.type })),
    ]) {
      const { status, json } = await line.get(`/v1/${collection}/${id}`)
      if (status === 200) this.learnObject(collection, account, json.data as { id: string })
    }
  }

  /** One of the younger payments that was last in one of these states. */
  payment(random: Random, statuses: readonly string[], type?: KnownPayment['type']): KnownPayment | undefined {
    return pickYoung(random, this.payments, (one) => statuses.includes(one.status) && (type === undefined || one.type === type))
  }

  /** One of the younger paykeys in one of these states. */
  paykey(random: Random, ...statuses: string[]): KnownPaykey | undefined {
    return pickYoung(random, this.paykeys, ({ status }) => statuses.includes(status))
  }

  /** One of the younger customers who are verified. */
  customer(random: Random): KnownCustomer | undefined {
    return pickYoung(random, this.customers, ({ status }) => status === 'verified')
  }

  #forgetCustomer(id: string): void {
    this.customers.delete(id)
    for (const paykey of this.paykeys.values()) if (paykey.customer === id) this.paykeys.delete(paykey.id)
  }
}

function pickYoung<T>(random: Random, all: ReadonlyMap<string, T>, fits: (one: T) => boolean): T | undefined {
  const fitting = [...all.values()].slice(-young).filter(fits)
  return fitting.length === 0 ? undefined : random.pick(fitting)
}
