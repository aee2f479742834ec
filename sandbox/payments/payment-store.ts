import type { Store } from '@/sandbox/store/store'
import type { Payment } from './payment'
import { type PackedValues, PaymentColumns, packValues } from './payment-columns'
import { factsOf } from './payment-table'

const loadStep = 10_000

/** Reads and writes charges and payouts, and keeps the columns in memory in step with the table. */
export class PaymentStore {
  readonly columns = new PaymentColumns()
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Rebuilds the columns from the table; after opening, after a seeding, and after a transaction that was rolled back. */
  load(): void {
    this.columns.clear()
    const size = this.size()
    for (let from = 0; from < size; from += loadStep) {
      const row = this.#store.get<{ packed: string }>(
        "SELECT '[' || group_concat(facts) || ']' AS packed FROM (SELECT facts FROM payment_facts WHERE n > ? AND n <= ? ORDER BY n)",
        ...[from, from + loadStep],
      )
      for (const facts of JSON.parse(row?.packed ?? '[]') as PackedValues[]) this.columns.append(facts)
    }
    this.columns.order()
  }

  /** How many payments the table holds. Numbers have no gaps, since a payment is never deleted. */
  size(): number {
    return this.#store.get<{ n: number | null }>('SELECT max(n) AS n FROM payments')?.n ?? 0
  }

  /** The payment of that type, or undefined. */
  get(type: Payment['type'], id: string): Payment | undefined {
    const row = this.#store.get<{ doc: string }>('SELECT doc FROM payments WHERE id = ? AND type = ?', id.toLowerCase(), type)
    return row && (JSON.parse(row.doc) as Payment)
  }

  /** The payment in a slot. Throws RangeError when there is none, which would mean columns and table differ. */
  at(slot: number): Payment {
    const row = this.#store.get<{ doc: string }>('SELECT doc FROM payments WHERE n = ?', slot + 1)
    if (!row) throw new RangeError(`no payment number ${slot + 1}`)
    return JSON.parse(row.doc) as Payment
  }

  /** The payments in these slots, in this order; one query, where `at` needs one for each. Throws RangeError as `at` does. */
  list(slots: readonly number[]): Payment[] {
    const rows = this.#store.all<{ n: number; doc: string }>(
      'SELECT n, doc FROM payments WHERE n IN (SELECT value + 1 FROM json_each(?))',
      JSON.stringify(slots),
    )
    const docs = new Map(rows.map(({ n, doc }) => [n - 1, doc]))
    return slots.map((slot) => {
      const doc = docs.get(slot)
      if (doc === undefined) throw new RangeError(`no payment number ${slot + 1}`)
      return JSON.parse(doc) as Payment
    })
  }

  /** The slot of a payment id, or -1. */
  slotOf(id: string): number {
    return (this.#store.get<{ n: number }>('SELECT n FROM payments WHERE id = ?', id.toLowerCase())?.n ?? 0) - 1
  }

  /** The slots with this client reference: at most one charge and one payout. */
  slotsOfExternalId(externalId: string): number[] {
    return this.#store.all<{ n: number }>('SELECT n FROM payments WHERE external_id = ?', externalId).map((row) => row.n - 1)
  }

  /**
   * The slots whose description or client reference has a word that begins with `word`. A word with signs in it counts as several, of
   * which the last one may be incomplete: the index knows which words a text has, not their order.
   */
  slotsOfWord(word: string): number[] {
    const parts = word
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((part) => part !== '')
    if (parts.length === 0) return []
    const match = `${parts.map((part) => `"${part}"`).join(' AND ')}*`
    const row = this.#store.get<{ rows: string }>(
      'SELECT json_group_array(rowid) AS rows FROM payment_words WHERE payment_words MATCH ?',
      match,
    )
    return (JSON.parse(row?.rows ?? '[]') as number[]).map((n) => n - 1)
  }

  /** Adds a payment at the end; gives it its number. Columns and words follow. */
  insert(payment: Omit<Payment, 'n'>): Payment {
    const numbered = { ...payment, n: this.columns.size + 1 }
    this.write(numbered)
    this.#addWords(numbered)
    this.columns.add(packValues(factsOf(numbered)))
    return numbered
  }

  /** Writes the rows alone; the seeding uses it and loads the columns and words once at the end. */
  write(payment: Payment): void {
    this.#store.run(
      'INSERT INTO payments (n, id, type, external_id, doc) VALUES (?, ?, ?, ?, ?)',
      ...[payment.n, payment.id, payment.type, payment.external_id, JSON.stringify(payment)],
    )
    this.#store.run('INSERT INTO payment_facts (n, facts) VALUES (?, ?)', payment.n, JSON.stringify(packValues(factsOf(payment))))
  }

  /** Saves a changed payment. */
  save(payment: Payment): void {
    this.rewrite(payment)
    this.columns.replace(payment.n - 1, packValues(factsOf(payment)))
  }

  /** Reindexes a payment's words; needed when its description changed. */
  reword(payment: Payment): void {
    this.#store.run('DELETE FROM payment_words WHERE rowid = ?', payment.n)
    this.#addWords(payment)
  }

  /** Replaces the rows alone, as `write` adds them alone. */
  rewrite(payment: Payment): void {
    this.#store.run('UPDATE payments SET doc = ? WHERE n = ?', JSON.stringify(payment), payment.n)
    this.#store.run('UPDATE payment_facts SET facts = ? WHERE n = ?', JSON.stringify(packValues(factsOf(payment))), payment.n)
  }

  /** Fills the word index from the table in one go. */
  indexWords(): void {
    this.#store.run(
      "INSERT INTO payment_words (rowid, external_id, description) SELECT n, external_id, doc ->> '$.description' FROM payments",
    )
  }

  #addWords({ n, external_id, description }: Payment): void {
    this.#store.run('INSERT INTO payment_words (rowid, external_id, description) VALUES (?, ?, ?)', n, external_id, description)
  }
}
