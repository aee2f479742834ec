import { DocTable } from '@/sandbox/store/doc-table'
import type { Store } from '@/sandbox/store/store'
import type { IdentityDetails } from './customer-review-schema'
import type { Customer, CustomerSecret } from './customer-schema'

/**
 * All customers; a free search looks through name and e-mail. What their verification found lies in a table beside it: every payment that is
 * read looks up its customer, and would otherwise read that too.
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

  /** What the last verification of a customer found; null while none has run. */
  identityOf(n: number): IdentityDetails | null {
    const row = this.#store.get<{ doc: string }>('SELECT doc FROM customer_reviews WHERE customer = ?', n)
    return row ? (JSON.parse(row.doc) as IdentityDetails) : null
  }

  /** Keeps what a verification found; it takes the place of an earlier one. */
  keepIdentity(n: number, details: IdentityDetails): void {
    this.#store.run('INSERT OR REPLACE INTO customer_reviews (customer, doc) VALUES (?, ?)', n, JSON.stringify(details))
  }

  /** Permanently removes a customer, with everything that was found out about it. */
  override remove(n: number): void {
    super.remove(n)
    this.#store.run('DELETE FROM customer_reviews WHERE customer = ?', n)
  }
}
