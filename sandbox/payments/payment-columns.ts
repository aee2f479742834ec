/** Fields of a payment that the search filters and sorts by, one number each. Other fields are not in memory. */
const arrayTypeByColumn = {
  type: Uint8Array,
  status: Uint8Array,
  reason: Uint8Array,
  source: Uint8Array,
  /** Bit flags: 1 is_refund, 2 has_refund, 4 is_resubmit, 8 has_resubmit. */
  marks: Uint8Array,
  account: Uint16Array,
  customer: Uint32Array,
  paykey: Uint32Array,
  /** Row number of the funding event; 0 for none. */
  funding: Uint32Array,
  /** In cents. */
  amount: Int32Array,
  /** In days since 1970. */
  payment_date: Int32Array,
  created_at: Float64Array,
  updated_at: Float64Array,
  /** In milliseconds; -1 before the payment settled. */
  effective_at: Float64Array,
  /** Milliseconds contained in the id, so that sorting by id compares numbers. */
  id: Float64Array,
} as const

type ColumnName = keyof typeof arrayTypeByColumn
export type ColumnValues = Record<ColumnName, number>
type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

const columnNames = Object.keys(arrayTypeByColumn) as ColumnName[]

/** One payment's values in the order of the columns, as stored in the database. */
export type PackedValues = readonly number[]

export const packValues = (values: ColumnValues): PackedValues => columnNames.map((name) => values[name])

export const sortKeys = ['id', 'created_at', 'updated_at', 'payment_date', 'effective_at', 'amount'] as const

export type SortKey = (typeof sortKeys)[number]

/**
 * Sets the mark to 0 for each payment that the filter excludes. Indexes are slots (payment number minus one). One call filters all
 * payments, for speed.
 */
export type Filter = (marked: Uint8Array) => void

const growArray = <T extends Numbers>(make: new (length: number) => T, old: T | undefined, length: number): T => {
  const next = new make(length)
  if (old) next.set(old)
  return next
}

function countMarked(marked: Uint8Array): number {
  let count = 0
  for (let slot = 0; slot < marked.length; slot++) count += marked[slot] ?? 0
  return count
}

/**
 * Columns of all payments as typed arrays, about 85 bytes per payment, with a sorted order per sort key. A search passes over one column
 * per filter and gets the exact total for any combination of filters, for a million payments in milliseconds. SQLite would need an index
 * per pair of filters, or count rows. SQLite is the source of truth; the columns are rebuilt at start.
 */
export class PaymentColumns {
  #size = 0
  #values: Record<ColumnName, Numbers> = this.#allocate(1024)
  #orders: Record<SortKey, Uint32Array> = this.#allocateOrders(1024)
  // One mark per payment during a search. Reused, because a new array per search would burden the garbage collector.
  #marked = new Uint8Array(1024)

  get size(): number {
    return this.#size
  }

  /** Returns one column, indexed by slot. Use it for one search only: the array is replaced when the table grows. */
  column(name: ColumnName): Numbers {
    return this.#values[name]
  }

  clear(): void {
    this.#size = 0
  }

  /** Appends a payment without sorting. Call `order` once after all were appended. */
  append(values: PackedValues): void {
    this.#reserve(this.#size + 1)
    this.#write(this.#size, values)
    this.#size += 1
  }

  order(): void {
    for (const key of sortKeys) {
      const order = this.#orders[key].subarray(0, this.#size)
      for (let slot = 0; slot < order.length; slot++) order[slot] = slot
      const values = this.#values[key]
      order.sort((left, right) => (values[left] ?? 0) - (values[right] ?? 0) || left - right)
    }
  }

  add(values: PackedValues): void {
    this.append(values)
    for (const key of sortKeys) this.#place(key, this.#size - 1, this.#size - 1)
  }

  replace(slot: number, values: PackedValues): void {
    const movedKeys = sortKeys.filter((key) => this.#values[key][slot] !== values[columnNames.indexOf(key)])
    for (const key of movedKeys) {
      const order = this.#orders[key]
      const from = this.#find(key, slot, this.#size)
      order.copyWithin(from, from + 1, this.#size)
    }
    this.#write(slot, values)
    for (const key of movedKeys) this.#place(key, slot, this.#size - 1)
  }

  search(
    sort: SortKey,
    descending: boolean,
    offset: number,
    limit: number,
    filters: readonly Filter[],
  ): { total: number; slots: number[] } {
    const size = this.#size
    const marked = this.#marked.subarray(0, size).fill(1)
    for (const filter of filters) filter(marked)
    const total = filters.length === 0 ? size : countMarked(marked)
    const order = this.#orders[sort]
    const slots: number[] = []
    const last = Math.min(offset + limit, total)
    for (let position = 0, seen = 0; seen < last; position++) {
      const slot = order[descending ? size - 1 - position : position] ?? 0
      if (marked[slot] !== 1) continue
      if (seen >= offset) slots.push(slot)
      seen += 1
    }
    return { total, slots }
  }

  #compare(key: SortKey, left: number, right: number): number {
    const values = this.#values[key]
    return (values[left] ?? 0) - (values[right] ?? 0) || left - right
  }

  #find(key: SortKey, slot: number, count: number): number {
    const order = this.#orders[key]
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(key, order[middle] ?? 0, slot) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #place(key: SortKey, slot: number, count: number): void {
    const order = this.#orders[key]
    const to = this.#find(key, slot, count)
    order.copyWithin(to + 1, to, count)
    order[to] = slot
  }

  #write(slot: number, values: PackedValues): void {
    for (let index = 0; index < columnNames.length; index++) {
      const name = columnNames[index]
      if (name !== undefined) this.#values[name][slot] = values[index] ?? 0
    }
  }

  #reserve(size: number): void {
    const capacity = this.#orders.id.length
    if (size <= capacity) return
    this.#values = this.#allocate(capacity * 2, this.#values)
    this.#orders = this.#allocateOrders(capacity * 2, this.#orders)
    this.#marked = new Uint8Array(capacity * 2)
  }

  #allocate(length: number, old?: Record<ColumnName, Numbers>): Record<ColumnName, Numbers> {
    const entries = columnNames.map((name) => [name, growArray<Numbers>(arrayTypeByColumn[name], old?.[name], length)])
    return Object.fromEntries(entries) as Record<ColumnName, Numbers>
  }

  #allocateOrders(length: number, old?: Record<SortKey, Uint32Array>): Record<SortKey, Uint32Array> {
    const entries = sortKeys.map((key) => [key, growArray(Uint32Array, old?.[key], length)])
    return Object.fromEntries(entries) as Record<SortKey, Uint32Array>
  }
}
