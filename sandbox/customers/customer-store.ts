import { defineMachine } from '@/sandbox/machine'
import { DocTable } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'
import type { IdentityDetails } from './customer-review-schema'
import {
  type Customer,
  type CustomerHiddenFields,
  type CustomerStatus,
  type customerOutcomes,
  customerStatuses,
} from './customer-schema'

/** Verification results are in a separate table, so that reading a payment does not load them. */
export class CustomerTable extends DocTable<Customer, CustomerHiddenFields> {
  readonly #store: SqliteStore

  constructor(store: SqliteStore) {
    super(store, {
      name: 'customers',
      columns: {
        name: (customer) => customer.name.toLowerCase(),
        email: { of: (customer) => customer.email.toLowerCase(), index: 'plain' },
        external_id: { of: ({ external_id }) => external_id, index: 'unique' },
        status: ({ status }) => status,
        type: ({ type }) => type,
        created_at: ({ created_at }) => created_at,
      },
      search: (customer) => `${customer.name} ${customer.email}`,
    })
    this.#store = store
    store.exec(
      'CREATE TABLE IF NOT EXISTS customer_reviews (customer INTEGER PRIMARY KEY, doc TEXT NOT NULL)',
    )
  }

  identityOf(n: number): IdentityDetails | null {
    const row = this.#store.get<{ doc: string }>(
      'SELECT doc FROM customer_reviews WHERE customer = ?',
      n,
    )
    return row ? (JSON.parse(row.doc) as IdentityDetails) : null
  }

  keepIdentity(n: number, details: IdentityDetails): void {
    this.#store.run(
      'INSERT OR REPLACE INTO customer_reviews (customer, doc) VALUES (?, ?)',
      n,
      JSON.stringify(details),
    )
  }

  override remove(n: number): void {
    super.remove(n)
    this.#store.run('DELETE FROM customer_reviews WHERE customer = ?', n)
  }
}

/**
 * State machine of a customer (provider-facts 3.2). `decide_*`: a person decides a review. `set_*`:
 * an update sets the status; it cannot verify or reject a pending customer, nor put a customer into
 * review. `pass`, `flag` and `fail`: results of a verification.
 */
export const customerMachine = defineMachine({
  noun: 'customer',
  states: customerStatuses,
  moves: {
    decide_verified: {
      by: 'ask',
      from: ['review'],
      to: 'verified',
      done: 'verified by a decision',
    },
    decide_rejected: {
      by: 'ask',
      from: ['review'],
      to: 'rejected',
      done: 'rejected by a decision',
    },
    set_pending: { by: 'ask', from: ['pending'], to: 'same', done: 'set to pending' },
    set_review: { by: 'ask', from: ['review'], to: 'same', done: 'set to review' },
    set_verified: {
      by: 'ask',
      from: ['review', 'inactive', 'rejected'],
      to: 'verified',
      already: ['verified'],
      done: 'set to verified',
    },
    set_rejected: {
      by: 'ask',
      from: ['review', 'verified', 'inactive'],
      to: 'rejected',
      already: ['rejected'],
      done: 'set to rejected',
    },
    set_inactive: {
      ...{ by: 'ask', from: ['pending', 'review', 'verified', 'rejected'] },
      ...{ to: 'inactive', already: ['inactive'], done: 'set to inactive' },
    },
    refresh: {
      by: 'ask',
      from: ['review', 'verified', 'rejected'],
      to: 'same',
      done: 'reviewed again',
    },
    delete: { by: 'ask', from: customerStatuses, to: 'same', done: 'deleted' },
    pass: {
      by: 'clock',
      from: ['pending', 'review', 'verified', 'rejected'],
      to: 'verified',
      done: 'verified',
    },
    flag: {
      by: 'clock',
      from: ['pending', 'review', 'verified', 'rejected'],
      to: 'review',
      done: 'put into review',
    },
    fail: {
      by: 'clock',
      from: ['pending', 'review', 'verified', 'rejected'],
      to: 'rejected',
      done: 'rejected',
    },
  },
})

export type CustomerMove = keyof typeof customerMachine.moves

export function getStatusAfterMove(move: CustomerMove, from: CustomerStatus): CustomerStatus {
  const { to } = customerMachine.moves[move]
  return to === 'same' ? from : to
}

const verificationResultByOutcome = {
  standard: 'pass',
  verified: 'pass',
  review: 'flag',
  rejected: 'fail',
} as const

/** `standard` always passes, so that the same request always has the same result. */
export const toVerificationResult = (
  outcome: (typeof customerOutcomes)[number],
): 'pass' | 'flag' | 'fail' => verificationResultByOutcome[outcome]
