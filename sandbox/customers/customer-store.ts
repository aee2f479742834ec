import { DocTable } from '@/sandbox/store/doc-table'
import type { Store } from '@/sandbox/store/store'
import type { IdentityDetails } from './customer-review-schema'
import type { Customer, CustomerSecret } from './customer-schema'

/**
 * All customers, with a text search over name and e-mail. Verifications are in their own table: each payment read looks up its customer and
 * would otherwise read them too.
 */
export class CustomerTable extends DocTable<Customer, CustomerSecret> {
  readonly #store: Store

  constructor(store: Store) {
    super(store, {
      name: 'customers',
      columns: {
        name: { kind: 'TEXT', of: (customer) => customer.name.toLowerCase() },
        email: { kind: 'TEXT', of: (customer) => customer.email.toLowerCase(), index: 'plain' },
        external_id: { kind: 'TEXT', of: (customer) => customer.external_id, index: 'unique' },
        status: { kind: 'TEXT', of: (customer) => customer.status },
        type: { kind: 'TEXT', of: (customer) => customer.type },
        created_at: { kind: 'TEXT', of: (customer) => customer.created_at },
      },
      search: (customer) => `${customer.name} ${customer.email}`,
    })
    this.#store = store
    store.exec('CREATE TABLE IF NOT EXISTS customer_reviews (customer INTEGER PRIMARY KEY, doc TEXT NOT NULL)')
  }

  /** Returns a customer's last verification; null before the first one. */
  identityOf(n: number): IdentityDetails | null {
    const row = this.#store.get<{ doc: string }>('SELECT doc FROM customer_reviews WHERE customer = ?', n)
    return row ? (JSON.parse(row.doc) as IdentityDetails) : null
  }

  /** Stores a verification, replacing an earlier one. */
  keepIdentity(n: number, details: IdentityDetails): void {
    this.#store.run('INSERT OR REPLACE INTO customer_reviews (customer, doc) VALUES (?, ?)', n, JSON.stringify(details))
  }

  /** Permanently deletes a customer and its verification. */
  override remove(n: number): void {
    super.remove(n)
    this.#store.run('DELETE FROM customer_reviews WHERE customer = ?', n)
  }
}
