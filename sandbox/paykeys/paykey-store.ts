import { DocTable, type Entry } from '@/sandbox/store/doc-table'
import type { Store } from '@/sandbox/store/store'
import type { Paykey, Verification } from './paykey-schema'

/** What only an unmasked read, a reveal or a webhook shows, and whether the one unblock of its life was used. */
export type PaykeySecret = { token: string; account_number: string; unblocked: boolean }

export type PaykeyEntry = Entry<Paykey, PaykeySecret>

/** What was found about a paykey, under the paykey's own id. */
export type PaykeyEvidence = { id: string; verification: Verification }

/** A bank account in full: what is blocked, and what several paykeys can share. */
export type BankAccount = { routing_number: string; account_number: string }

export const bankAccountOf = ({ doc, secret }: PaykeyEntry): BankAccount => ({
  routing_number: doc.bank_data.routing_number,
  account_number: secret.account_number,
})

/** The returns that close a bank account to new paykeys; R29 alone can be undone for those it has. */
export const blockingCodes = ['R02', 'R05', 'R29'] as const

/** One of them. */
export type BlockingCode = (typeof blockingCodes)[number]

const extras = `
CREATE UNIQUE INDEX IF NOT EXISTS paykeys_token ON paykeys (secret ->> '$.token');
CREATE INDEX IF NOT EXISTS paykeys_bank_account ON paykeys (routing_number, secret ->> '$.account_number');
CREATE TABLE IF NOT EXISTS blocked_bank_accounts (
  routing_number TEXT NOT NULL, account_number TEXT NOT NULL, code TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (routing_number, account_number)
) WITHOUT ROWID;`

/** All paykeys, the evidence of their verifications, and the bank accounts that take no new ones. The full token is found through `withToken`. */
export class PaykeyTable extends DocTable<Paykey, PaykeySecret> {
  readonly #store: Store
  /** The newest verification of each paykey. */
  readonly evidence: DocTable<PaykeyEvidence>

  constructor(store: Store) {
    super(store, {
      name: 'paykeys',
      columns: {
        masked: { kind: 'TEXT', of: (paykey) => paykey.paykey, index: 'plain' },
        customer_id: { kind: 'TEXT', of: (paykey) => paykey.customer_id, index: 'plain' },
        status: { kind: 'TEXT', of: (paykey) => paykey.status },
        source: { kind: 'TEXT', of: (paykey) => paykey.source },
        institution_name: { kind: 'TEXT', of: (paykey) => paykey.institution_name },
        routing_number: { kind: 'TEXT', of: (paykey) => paykey.bank_data.routing_number },
        unblock_eligible: { kind: 'INTEGER', of: (paykey) => (paykey.unblock_eligible === null ? null : Number(paykey.unblock_eligible)) },
        expires_at: { kind: 'TEXT', of: (paykey) => paykey.expires_at },
        created_at: { kind: 'TEXT', of: (paykey) => paykey.created_at },
        external_id: { kind: 'TEXT', of: (paykey) => paykey.external_id, index: 'unique' },
      },
      search: ({ label, source, external_id, id, customer_id }) => `${label} ${source} ${external_id ?? ''} ${id} ${customer_id}`,
    })
    this.#store = store
    store.exec(extras)
    this.evidence = new DocTable(store, { name: 'paykey_evidence' })
  }

  /** Numbers of the paykeys with this token; the masked form is taken too, since it is the only one a plain read shows. */
  withToken(token: string): number[] {
    const rows = this.#store.all<{ n: number }>("SELECT n FROM paykeys WHERE secret ->> '$.token' = ? OR masked = ?", token, token)
    return rows.map((row) => row.n)
  }

  /** Every paykey on one bank account, of all customers and accounts, oldest first. */
  on({ routing_number, account_number }: BankAccount): PaykeyEntry[] {
    const sql = "SELECT n FROM paykeys WHERE routing_number = ? AND secret ->> '$.account_number' = ? ORDER BY n"
    return this.#store.all<{ n: number }>(sql, routing_number, account_number).flatMap(({ n }) => this.at(n) ?? [])
  }

  /**
   * Remembers that a bank account came back with a code and takes no new paykeys. R29, which can be undone, never takes the place of a code that
   * cannot. Must run inside the change's transaction.
   */
  rememberBlock({ routing_number, account_number }: BankAccount, code: BlockingCode, at: number): void {
    this.#store.run(
      `INSERT INTO blocked_bank_accounts (routing_number, account_number, code, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET code = excluded.code, at = excluded.at WHERE code = 'R29'`,
      ...[routing_number, account_number, code, at],
    )
  }

  /** The return that closed a bank account to new paykeys, or undefined. */
  blockOf({ routing_number, account_number }: BankAccount): string | undefined {
    const sql = 'SELECT code FROM blocked_bank_accounts WHERE routing_number = ? AND account_number = ?'
    return this.#store.get<{ code: string }>(sql, routing_number, account_number)?.code
  }
}
