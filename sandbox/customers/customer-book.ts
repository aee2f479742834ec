import type { Store } from '@/sandbox/store/store'

/** The customer as the service gives it (interface document, "Customer"): compliance values and address of the device are masked. */
export type Customer = {
  id: string
  name: string
  type: 'individual' | 'business'
  email: string
  phone: string
  status: string
  created_at: string
  updated_at: string
  external_id: string
  address: { address1: string; address2: string | null; city: string; state: string; zip: string }
  compliance_profile: { dob: string; ssn: string } | { ein: string; legal_business_name: string; website: string }
  device: { ip_address: string }
  metadata: Record<string, string>
  config: { sandbox_outcome: string; processing_method: string }
}

/** The customers' table. `search` is what `search_text` looks through. */
export const customersTable = `
CREATE TABLE IF NOT EXISTS customers (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account INTEGER NOT NULL REFERENCES accounts (n), search TEXT NOT NULL, doc TEXT NOT NULL
);`

/** A customer with the number of the account it belongs to. */
export type OwnedCustomer = { n: number; account: number; customer: Customer }

/** Reads and writes customers. */
export class CustomerBook {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Adds a customer under the number `n`. */
  insert(n: number, account: number, customer: Customer): void {
    const search = `${customer.name} ${customer.email}`.toLowerCase()
    this.#store.run(
      'INSERT INTO customers (n, id, account, search, doc) VALUES (?, ?, ?, ?, ?)',
      ...[n, customer.id, account, search, JSON.stringify(customer)],
    )
  }

  /** The customer, or undefined. */
  get(id: string): OwnedCustomer | undefined {
    return this.#read(
      this.#store.get<{ n: number; account: number; doc: string }>('SELECT n, account, doc FROM customers WHERE id = ?', id.toLowerCase()),
    )
  }

  /** The customer behind a short number, or undefined. */
  at(n: number): OwnedCustomer | undefined {
    return this.#read(this.#store.get<{ n: number; account: number; doc: string }>('SELECT n, account, doc FROM customers WHERE n = ?', n))
  }

  /** Numbers of the customers whose name or e-mail holds `word` (lower case). */
  matching(word: string): number[] {
    return this.#store.all<{ n: number }>('SELECT n FROM customers WHERE instr(search, ?) > 0', word).map((row) => row.n)
  }

  #read(row: { n: number; account: number; doc: string } | undefined): OwnedCustomer | undefined {
    return row && { n: row.n, account: row.account, customer: JSON.parse(row.doc) as Customer }
  }
}
