/** The payment search filters and sorts by these fields. Each is stored as a number. */
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
  /** Creation time in milliseconds, taken from the UUID. Sorting by id then compares numbers. */
  id: Float64Array,
} as const

type ColumnName = keyof typeof arrayTypeByColumn
export type ColumnValues = Record<ColumnName, number>
type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

const columnNames = Object.keys(arrayTypeByColumn) as ColumnName[]

/** One payment's values in the order of the columns, as stored in the database. */
export type PackedColumnValues = readonly number[]

export const packColumnValues = (values: ColumnValues): PackedColumnValues =>
  columnNames.map((name) => values[name])

export const paymentSortKeys = [
  'id',
  'created_at',
  'updated_at',
  'payment_date',
  'effective_at',
  'amount',
] as const

export type SortKey = (typeof paymentSortKeys)[number]

/**
 * A filter of the payment search. It sets the entry of each excluded payment to 0. The index of an
 * entry is the payment's number minus one (its slot). For speed, one call filters all payments.
 */
export type PaymentFilter = (marked: Uint8Array) => void

const growArray = <T extends NumberArray>(
  make: new (length: number) => T,
  oldArray: T | undefined,
  length: number,
): T => {
  const grownArray = new make(length)
  if (oldArray) grownArray.set(oldArray)
  return grownArray
}

function countMarkedSlots(marked: Uint8Array): number {
  let count = 0
  for (let slot = 0; slot < marked.length; slot++) count += marked[slot] ?? 0
  return count
}

/**
 * Search fields of all payments in memory, about 85 bytes per payment. A search counts the matches
 * among a million payments in milliseconds, for any filters. SQLite would need an index per pair of
 * filters, or would count row by row. The arrays are rebuilt from the database at start.
 */
export class PaymentColumns {
  #size = 0
  #values: Record<ColumnName, NumberArray> = this.#allocate(1024)
  #orders: Record<SortKey, Uint32Array> = this.#allocateOrders(1024)
  // One entry per payment: 1 if it matches the current search. The array is reused, because a new
  // one per search would burden the garbage collector.
  #marked = new Uint8Array(1024)

  get size(): number {
    return this.#size
  }

  /**
   * Returns one column, indexed by slot (payment number minus one). Use the array for one search
   * only, because it is replaced when the table grows.
   */
  column(name: ColumnName): NumberArray {
    return this.#values[name]
  }

  clear(): void {
    this.#size = 0
  }

  /** Adds a payment without sorting. Call `order` once after the last `append`. */
  append(values: PackedColumnValues): void {
    this.#reserve(this.#size + 1)
    this.#write(this.#size, values)
    this.#size += 1
  }

  order(): void {
    for (const key of paymentSortKeys) {
      const sortedSlots = this.#orders[key].subarray(0, this.#size)
      for (let slot = 0; slot < sortedSlots.length; slot++) sortedSlots[slot] = slot
      const sortValues = this.#values[key]
      sortedSlots.sort(
        (left, right) => (sortValues[left] ?? 0) - (sortValues[right] ?? 0) || left - right,
      )
    }
  }

  add(values: PackedColumnValues): void {
    this.append(values)
    for (const key of paymentSortKeys) this.#place(key, this.#size - 1, this.#size - 1)
  }

  replace(slot: number, values: PackedColumnValues): void {
    const changedSortKeys = paymentSortKeys.filter(
      (key) => this.#values[key][slot] !== values[columnNames.indexOf(key)],
    )
    for (const key of changedSortKeys) {
      const orderedSlots = this.#orders[key]
      const oldPosition = this.#find(key, slot, this.#size)
      orderedSlots.copyWithin(oldPosition, oldPosition + 1, this.#size)
    }
    this.#write(slot, values)
    for (const key of changedSortKeys) this.#place(key, slot, this.#size - 1)
  }

  search(
    sortKey: SortKey,
    isDescending: boolean,
    offset: number,
    limit: number,
    filters: readonly PaymentFilter[],
  ): { total: number; slots: number[] } {
    const size = this.#size
    const marked = this.#marked.subarray(0, size).fill(1)
    for (const filter of filters) filter(marked)
    const total = filters.length === 0 ? size : countMarkedSlots(marked)
    const slotsInSortOrder = this.#orders[sortKey]
    const slots: number[] = []
    const endOffset = Math.min(offset + limit, total)
    for (let position = 0, matchCount = 0; matchCount < endOffset; position++) {
      const slot = slotsInSortOrder[isDescending ? size - 1 - position : position] ?? 0
      if (marked[slot] !== 1) continue
      if (matchCount >= offset) slots.push(slot)
      matchCount += 1
    }
    return { total, slots }
  }

  #compare(key: SortKey, left: number, right: number): number {
    const keyValues = this.#values[key]
    return (keyValues[left] ?? 0) - (keyValues[right] ?? 0) || left - right
  }

  #find(key: SortKey, slot: number, count: number): number {
    const slotsOrderedByKey = this.#orders[key]
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(key, slotsOrderedByKey[middle] ?? 0, slot) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #place(key: SortKey, slot: number, count: number): void {
    const order = this.#orders[key]
    const newPosition = this.#find(key, slot, count)
    order.copyWithin(newPosition + 1, newPosition, count)
    order[newPosition] = slot
  }

  #write(slot: number, values: PackedColumnValues): void {
    for (let index = 0; index < columnNames.length; index++) {
      const columnName = columnNames[index]
      if (columnName !== undefined) this.#values[columnName][slot] = values[index] ?? 0
    }
  }

  #reserve(size: number): void {
    const capacity = this.#orders.id.length
    if (size <= capacity) return
    this.#values = this.#allocate(capacity * 2, this.#values)
    this.#orders = this.#allocateOrders(capacity * 2, this.#orders)
    this.#marked = new Uint8Array(capacity * 2)
  }

  #allocate(
    length: number,
    old?: Record<ColumnName, NumberArray>,
  ): Record<ColumnName, NumberArray> {
    const columnEntries = columnNames.map((name) => [
      name,
      growArray<NumberArray>(arrayTypeByColumn[name], old?.[name], length),
    ])
    return Object.fromEntries(columnEntries) as Record<ColumnName, NumberArray>
  }

  #allocateOrders(
    length: number,
    old?: Record<SortKey, Uint32Array>,
  ): Record<SortKey, Uint32Array> {
    const orderEntries = paymentSortKeys.map((key) => [
      key,
      growArray(Uint32Array, old?.[key], length),
    ])
    return Object.fromEntries(orderEntries) as Record<SortKey, Uint32Array>
  }
}
