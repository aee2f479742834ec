import type { Store } from '@/sandbox/store/store'
import type { Account } from './account'

/** The accounts' table: `n` is the short number other tables refer to; `doc` is the account as the service gives it. */
export const accountsTable = `
CREATE TABLE IF NOT EXISTS accounts (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, status TEXT NOT NULL, external_id TEXT NOT NULL,
  search TEXT NOT NULL, doc TEXT NOT NULL
);`

/** Which accounts a list asks for; an absent filter matches all. */
export type AccountFilter = { search_text?: string; status?: string; type?: string; external_id?: string }

/** A page of a list: `total` counts every match, not only the page's. */
export type Page<T> = { total: number; items: T[] }

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Reads and writes accounts. */
export class AccountBook {
  readonly #store: Store
  readonly #numbers = new Map<string, number>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Adds an account under the number `n`. */
  insert(n: number, account: Account): void {
    const search =
      `${account.business_profile.name} ${account.business_profile.legal_name} ${account.external_id} ${account.id}`.toLowerCase()
    this.#store.run(
      'INSERT INTO accounts (n, id, type, status, external_id, search, doc) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[n, account.id, account.type, account.status, account.external_id, search, JSON.stringify(account)],
    )
  }

  /** The account, or undefined. */
  get(id: string): Account | undefined {
    const row = this.#store.get<{ doc: string }>('SELECT doc FROM accounts WHERE id = ?', id.toLowerCase())
    return row && (JSON.parse(row.doc) as Account)
  }

  /** The short number of an account, or undefined when there is none of that id. */
  numberOf(id: string): number | undefined {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const n = this.#store.get<{ n: number }>('SELECT n FROM accounts WHERE id = ?', id)?.n
    if (n !== undefined) this.#numbers.set(id, n)
    return n
  }

  /** The id behind a short number. Throws RangeError when there is none, which would be a damaged store. */
  idOf(n: number): string {
    const row = this.#store.get<{ id: string }>('SELECT id FROM accounts WHERE n = ?', n)
    if (!row) throw new RangeError(`no account number ${n}`)
    return row.id
  }

  /** One page, sorted as asked; `sort` is one of the words of the list operation's schema. */
  list(filter: AccountFilter, sort: string, order: 'asc' | 'desc', offset: number, limit: number): Page<Account> {
    const wheres: string[] = []
    const values: string[] = []
    for (const column of ['status', 'type', 'external_id'] as const) {
      const value = filter[column]
      if (value === undefined) continue
      wheres.push(`${column} = ?`)
      values.push(value)
    }
    if (filter.search_text !== undefined) {
      wheres.push("search LIKE ? ESCAPE '\\'")
      values.push(`%${escapeLike(filter.search_text.toLowerCase())}%`)
    }
    const where = wheres.length > 0 ? `WHERE ${wheres.join(' AND ')}` : ''
    const key = { id: 'id', name: 'search', created_at: "doc ->> '$.created_at'" }[sort] ?? 'id'
    const rows = this.#store.all<{ doc: string }>(
      `SELECT doc FROM accounts ${where} ORDER BY ${key} ${order}, n LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    )
    const total = this.#store.get<{ total: number }>(`SELECT count(*) AS total FROM accounts ${where}`, ...values)?.total ?? 0
    return { total, items: rows.map((row) => JSON.parse(row.doc) as Account) }
  }

  /** Forgets remembered numbers; needed after the tables were wiped. */
  forget(): void {
    this.#numbers.clear()
  }
}
