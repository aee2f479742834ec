import type { Store } from '@/sandbox/store/store'

/** What the store keeps of a paykey: the service's fields, but for the token, which has a column of its own. */
export type PaykeyDoc = {
  id: string
  label: string
  source: string
  status: string
  created_at: string
  updated_at: string
  config: { sandbox_outcome: string; processing_method: string }
  customer_id: string
  institution_name: string
  status_details: { message: string; reason: string; source: string; code: string | null; changed_at: string }
  expires_at: string
  bank_data: { routing_number: string; account_number: string; account_type: string }
  metadata: Record<string, string>
  balance: { status: string; account_balance: number; updated_at: string }
  external_id: string
  unblock_eligible: boolean | null
}

/** The paykey as the service gives it: the token masked, as a plain read does. */
export type Paykey = PaykeyDoc & { paykey: string }

/** A paykey with its own number, its customer's and its account's. */
export type OwnedPaykey = { n: number; account: number; customer: number; paykey: Paykey }

/** The paykeys' table. `token` is the full token: it is a filter of the payments search and never leaves the process. */
export const paykeysTable = `
CREATE TABLE IF NOT EXISTS paykeys (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account INTEGER NOT NULL REFERENCES accounts (n),
  customer INTEGER NOT NULL REFERENCES customers (n), token TEXT NOT NULL UNIQUE, masked TEXT NOT NULL, doc TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS paykeys_masked ON paykeys (masked);`

/** The token as reads show it: three digits at each end and the version in the middle (seen at the provider). */
export function maskToken(token: string): string {
  const [head = '', version = '', tail = ''] = token.split('.')
  return `${head.slice(0, 3)}***.${version}.******${tail.slice(-3)}`
}

type Row = { n: number; account: number; customer: number; masked: string; doc: string }

/** Reads and writes paykeys. */
export class PaykeyBook {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Adds a paykey under the number `n`; `token` is the full token. */
  insert(n: number, account: number, customer: number, token: string, doc: PaykeyDoc): void {
    this.#store.run(
      'INSERT INTO paykeys (n, id, account, customer, token, masked, doc) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[n, doc.id, account, customer, token, maskToken(token), JSON.stringify(doc)],
    )
  }

  /** The paykey, or undefined. */
  get(id: string): OwnedPaykey | undefined {
    return this.#read(this.#store.get<Row>('SELECT n, account, customer, masked, doc FROM paykeys WHERE id = ?', id.toLowerCase()))
  }

  /** The paykey behind a short number, or undefined. */
  at(n: number): OwnedPaykey | undefined {
    return this.#read(this.#store.get<Row>('SELECT n, account, customer, masked, doc FROM paykeys WHERE n = ?', n))
  }

  /** Numbers of the paykeys with this token; the masked form is taken too, since it is the only one a plain read shows. */
  withToken(token: string): number[] {
    return this.#store.all<{ n: number }>('SELECT n FROM paykeys WHERE token = ? OR masked = ?', token, token).map((row) => row.n)
  }

  /** The number the next paykey gets. */
  nextNumber(): number {
    return (this.#store.get<{ n: number | null }>('SELECT max(n) AS n FROM paykeys')?.n ?? 0) + 1
  }

  #read(row: Row | undefined): OwnedPaykey | undefined {
    if (!row) return undefined
    const doc = JSON.parse(row.doc) as PaykeyDoc
    return { n: row.n, account: row.account, customer: row.customer, paykey: { ...doc, paykey: row.masked } }
  }
}
