import { defineMachine } from '@/sandbox/machine'
import { DocTable, type TableEntry } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'
import { type Paykey, paykeyStatuses, type Verification } from './paykey-schema'

/**
 * Values of a paykey that ordinary reads do not return. `unblocked` is true after the paykey was
 * unblocked, which is allowed only once.
 */
export type PaykeyHiddenFields = { token: string; account_number: string; unblocked: boolean }

export type PaykeyEntry = TableEntry<Paykey, PaykeyHiddenFields>

type PaykeyEvidence = { id: string; verification: Verification }

/** An unmasked bank account. Several paykeys can share it, and a block applies to all of them. */
export type BankAccount = { routing_number: string; account_number: string }

export const toBankAccount = ({ doc, secret }: PaykeyEntry): BankAccount => ({
  routing_number: doc.bank_data.routing_number,
  account_number: secret.account_number,
})

/**
 * Return codes that close a bank account to new paykeys. After R29, each paykey can be unblocked
 * once.
 */
export const blockingCodes = ['R02', 'R05', 'R29'] as const

export type BlockingCode = (typeof blockingCodes)[number]

const paykeyIndexesAndBlocksSql = `
CREATE UNIQUE INDEX IF NOT EXISTS paykeys_token ON paykeys (secret ->> '$.token');
CREATE INDEX IF NOT EXISTS paykeys_bank_account ON paykeys (routing_number, secret ->> '$.account_number');
CREATE TABLE IF NOT EXISTS blocked_bank_accounts (
  routing_number TEXT NOT NULL, account_number TEXT NOT NULL, code TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (routing_number, account_number)
) WITHOUT ROWID;`

export class PaykeyTable extends DocTable<Paykey, PaykeyHiddenFields> {
  readonly #store: SqliteStore
  readonly evidence: DocTable<PaykeyEvidence>

  constructor(store: SqliteStore) {
    super(store, {
      name: 'paykeys',
      columns: {
        masked: { of: ({ paykey }) => paykey, index: 'plain' },
        customer_id: { of: ({ customer_id }) => customer_id, index: 'plain' },
        status: ({ status }) => status,
        source: ({ source }) => source,
        institution_name: ({ institution_name }) => institution_name,
        routing_number: (paykey) => paykey.bank_data.routing_number,
        unblock_eligible: {
          kind: 'INTEGER',
          of: (paykey) =>
            paykey.unblock_eligible === null ? null : Number(paykey.unblock_eligible),
        },
        expires_at: ({ expires_at }) => expires_at,
        created_at: ({ created_at }) => created_at,
        external_id: { of: ({ external_id }) => external_id, index: 'unique' },
      },
      search: ({ label, source, external_id, id, customer_id }) =>
        `${label} ${source} ${external_id ?? ''} ${id} ${customer_id}`,
    })
    this.#store = store
    store.exec(paykeyIndexesAndBlocksSql)
    this.evidence = new DocTable(store, { name: 'paykey_evidence' })
  }

  /**
   * Returns the row numbers of the paykeys with this token. `token` may be masked, because ordinary
   * reads return only the masked token.
   */
  withToken(token: string): number[] {
    const paykeyNumberRows = this.#store.all<{ n: number }>(
      "SELECT n FROM paykeys WHERE secret ->> '$.token' = ? OR masked = ?",
      token,
      token,
    )
    return paykeyNumberRows.map((row) => row.n)
  }

  /** Returns all paykeys of a bank account, in all accounts, oldest first. */
  on({ routing_number, account_number }: BankAccount): PaykeyEntry[] {
    const bankAccountPaykeysSql =
      "SELECT n FROM paykeys WHERE routing_number = ? AND secret ->> '$.account_number' = ? ORDER BY n"
    return this.#store
      .all<{ n: number }>(bankAccountPaykeysSql, routing_number, account_number)
      .flatMap(({ n }) => this.at(n) ?? [])
  }

  /**
   * Closes a bank account to new paykeys after a return with `code`. A stored R02 or R05 is
   * permanent and stays; a stored R29 is replaced. Must run in the transaction of the change.
   */
  rememberBlock(
    { routing_number, account_number }: BankAccount,
    code: BlockingCode,
    at: number,
  ): void {
    this.#store.run(
      `INSERT INTO blocked_bank_accounts (routing_number, account_number, code, at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET code = excluded.code, at = excluded.at WHERE code = 'R29'`,
      ...[routing_number, account_number, code, at],
    )
  }

  /** Returns undefined if the bank account is open to new paykeys. */
  blockOf({ routing_number, account_number }: BankAccount): string | undefined {
    const blockingCodeSql =
      'SELECT code FROM blocked_bank_accounts WHERE routing_number = ? AND account_number = ?'
    return this.#store.get<{ code: string }>(blockingCodeSql, routing_number, account_number)?.code
  }
}

/**
 * State machine of paykeys (provider-facts 3.3). A verification ends in `pass`, `flag` or `fail`. A
 * returned payment causes `block`, or `close` for a permanent code (R02, R05) on a blocked paykey.
 */
export const paykeyMachine = defineMachine({
  noun: 'paykey',
  states: paykeyStatuses,
  moves: {
    pass: {
      by: 'clock',
      from: ['pending', 'review'],
      to: 'active',
      already: ['active'],
      done: 'verified',
    },
    flag: {
      by: 'clock',
      from: ['pending', 'active'],
      to: 'review',
      already: ['review'],
      done: 'put in review',
    },
    fail: {
      by: 'clock',
      from: ['pending', 'active', 'review'],
      to: 'rejected',
      done: 'refused by verification',
    },
    block: { by: 'clock', from: ['pending', 'active', 'review'], to: 'blocked', done: 'blocked' },
    close: { by: 'clock', from: ['blocked'], to: 'blocked', done: 'permanently blocked' },
    approve: { by: 'ask', from: ['review'], to: 'active', done: 'approved' },
    reject: { by: 'ask', from: ['review'], to: 'rejected', done: 'rejected' },
    cancel: {
      by: 'ask',
      from: ['pending', 'active', 'review', 'blocked'],
      to: 'inactive',
      done: 'cancelled',
    },
    unblock: { by: 'ask', from: ['blocked'], to: 'active', done: 'unblocked' },
    refresh_review: { by: 'ask', from: ['active', 'review'], to: 'same', done: 'verified again' },
    refresh_balance: {
      by: 'ask',
      from: ['active', 'review'],
      to: 'same',
      done: 'asked for its balance',
    },
  },
})

type PaykeyMove = keyof typeof paykeyMachine.moves

/** Excludes the two refresh moves, which keep the status until their result arrives. */
export type PaykeyStateMove = Exclude<PaykeyMove, 'refresh_review' | 'refresh_balance'>
