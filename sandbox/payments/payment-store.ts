import type { RequestedPage } from '@/sandbox/store/doc-table'
import { getIdTime, type SqliteStore } from '@/sandbox/store/store'
import { getCurrentState, type Payment } from './payment'
import {
  type ColumnValues,
  type PackedColumnValues,
  PaymentColumns,
  type PaymentFilter,
  packColumnValues,
  type SortKey,
} from './payment-columns'
import { paymentStatuses, paymentTypes, statusReasons, statusSources } from './payment-values'

/**
 * `payment_facts` repeats the search fields as a small JSON array. SQLite returns ten thousand of
 * these arrays as one text, so a million payments are loaded into memory in seconds. The full-text
 * index stores prefixes of one and two letters, because the search for such a short prefix would
 * otherwise be slow.
 */
export const paymentTablesSql = `
CREATE TABLE IF NOT EXISTS payments (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, external_id TEXT NOT NULL,
  doc TEXT NOT NULL, UNIQUE (external_id, type)
);
CREATE TABLE IF NOT EXISTS payment_facts (n INTEGER PRIMARY KEY REFERENCES payments (n), facts TEXT NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS payment_words USING fts5 (external_id, description, content='', contentless_delete=1, detail='none', prefix='1 2');`

const dayInMs = 86_400_000

export const toDayNumber = (date: string): number =>
  Math.floor(Date.parse(`${date}T00:00:00Z`) / dayInMs)

function toColumnValues(payment: Payment): ColumnValues {
  const currentState = getCurrentState(payment)
  return {
    type: paymentTypes.indexOf(payment.type),
    status: paymentStatuses.indexOf(currentState.status),
    reason: statusReasons.indexOf(currentState.reason),
    source: statusSources.indexOf(currentState.source),
    marks:
      Number(payment.is_refund) +
      Number(payment.has_refund) * 2 +
      Number(payment.is_resubmit) * 4 +
      Number(payment.has_resubmit) * 8,
    account: payment.account,
    customer: payment.customer,
    paykey: payment.paykey,
    funding: payment.funding ?? 0,
    amount: payment.amount,
    payment_date: toDayNumber(payment.payment_date),
    created_at: payment.created_at,
    updated_at: payment.updated_at,
    effective_at: payment.effective_at ?? -1,
    id: getIdTime(payment.id),
  }
}

const loadBatchSize = 10_000

export class PaymentStore {
  readonly columns = new PaymentColumns()
  readonly #store: SqliteStore

  constructor(store: SqliteStore) {
    this.#store = store
  }

  /**
   * Loads the search columns into memory. Call it after opening, after seeding and after a
   * rollback.
   */
  load(): void {
    this.columns.clear()
    const size = this.size()
    for (let from = 0; from < size; from += loadBatchSize) {
      const row = this.#store.get<{ packed: string }>(
        "SELECT '[' || group_concat(facts) || ']' AS packed FROM (SELECT facts FROM payment_facts WHERE n > ? AND n <= ? ORDER BY n)",
        ...[from, from + loadBatchSize],
      )
      for (const facts of JSON.parse(row?.packed ?? '[]') as PackedColumnValues[])
        this.columns.append(facts)
    }
    this.columns.order()
  }

  /** Payments are never deleted, so their number equals the highest payment number. */
  size(): number {
    return this.#store.get<{ n: number | null }>('SELECT max(n) AS n FROM payments')?.n ?? 0
  }

  get(type: Payment['type'], id: string): Payment | undefined {
    const row = this.#store.get<{ doc: string }>(
      'SELECT doc FROM payments WHERE id = ? AND type = ?',
      id.toLowerCase(),
      type,
    )
    return row && (JSON.parse(row.doc) as Payment)
  }

  /**
   * Returns the payment in a slot (payment number minus one). Throws RangeError if there is none,
   * which means that the columns in memory and the table differ.
   */
  at(slot: number): Payment {
    const row = this.#store.get<{ doc: string }>('SELECT doc FROM payments WHERE n = ?', slot + 1)
    if (!row) throw new RangeError(`no payment number ${slot + 1}`)
    return JSON.parse(row.doc) as Payment
  }

  list(slots: readonly number[]): Payment[] {
    const rows = this.#store.all<{ n: number; doc: string }>(
      'SELECT n, doc FROM payments WHERE n IN (SELECT value + 1 FROM json_each(?))',
      JSON.stringify(slots),
    )
    const docBySlot = new Map(rows.map(({ n, doc }) => [n - 1, doc]))
    return slots.map((slot) => {
      const doc = docBySlot.get(slot)
      if (doc === undefined) throw new RangeError(`no payment number ${slot + 1}`)
      return JSON.parse(doc) as Payment
    })
  }

  page(
    { sort, order, offset, limit }: RequestedPage,
    filters: readonly PaymentFilter[],
  ): { total: number; payments: Payment[] } {
    const { total, slots } = this.columns.search(
      sort as SortKey,
      order === 'desc',
      offset,
      limit,
      filters,
    )
    return { total, payments: this.list(slots) }
  }

  slotOf(id: string): number {
    return (
      (this.#store.get<{ n: number }>('SELECT n FROM payments WHERE id = ?', id.toLowerCase())?.n ??
        0) - 1
    )
  }

  /** Returns slots (payment number minus one): at most one charge and one payout. */
  slotsOfExternalId(externalId: string): number[] {
    return this.#store
      .all<{ n: number }>('SELECT n FROM payments WHERE external_id = ?', externalId)
      .map((row) => row.n - 1)
  }

  /**
   * Searches word starts in descriptions and client references. Punctuation splits `word`: all
   * parts must occur, in any order, and only the last may be incomplete.
   */
  slotsOfWord(word: string): number[] {
    const searchWords = word
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((part) => part !== '')
    if (searchWords.length === 0) return []
    const matchExpression = `${searchWords.map((part) => `"${part}"`).join(' AND ')}*`
    const row = this.#store.get<{ rows: string }>(
      'SELECT json_group_array(rowid) AS rows FROM payment_words WHERE payment_words MATCH ?',
      matchExpression,
    )
    return (JSON.parse(row?.rows ?? '[]') as number[]).map((n) => n - 1)
  }

  insert(payment: Omit<Payment, 'n'>): Payment {
    const numberedPayment = { ...payment, n: this.columns.size + 1 }
    this.write(numberedPayment)
    this.#addWords(numberedPayment)
    this.columns.add(packColumnValues(toColumnValues(numberedPayment)))
    return numberedPayment
  }

  /**
   * Inserts a payment into its tables only. Seeding calls this per payment, and builds the columns
   * in memory and the full-text index once at the end.
   */
  write(payment: Payment): void {
    this.#store.run(
      'INSERT INTO payments (n, id, type, external_id, doc) VALUES (?, ?, ?, ?, ?)',
      ...[payment.n, payment.id, payment.type, payment.external_id, JSON.stringify(payment)],
    )
    this.#store.run(
      'INSERT INTO payment_facts (n, facts) VALUES (?, ?)',
      payment.n,
      JSON.stringify(packColumnValues(toColumnValues(payment))),
    )
  }

  save(payment: Payment): void {
    this.rewrite(payment)
    this.columns.replace(payment.n - 1, packColumnValues(toColumnValues(payment)))
  }

  /** Updates a payment in the full-text index. Call it after a change of the description. */
  reword(payment: Payment): void {
    this.#store.run('DELETE FROM payment_words WHERE rowid = ?', payment.n)
    this.#addWords(payment)
  }

  rewrite(payment: Payment): void {
    this.#store.run('UPDATE payments SET doc = ? WHERE n = ?', JSON.stringify(payment), payment.n)
    this.#store.run(
      'UPDATE payment_facts SET facts = ? WHERE n = ?',
      JSON.stringify(packColumnValues(toColumnValues(payment))),
      payment.n,
    )
  }

  indexWords(): void {
    this.#store.run(
      "INSERT INTO payment_words (rowid, external_id, description) SELECT n, external_id, doc ->> '$.description' FROM payments",
    )
  }

  #addWords({ n, external_id, description }: Payment): void {
    this.#store.run(
      'INSERT INTO payment_words (rowid, external_id, description) VALUES (?, ?, ?)',
      n,
      external_id,
      description,
    )
  }
}
