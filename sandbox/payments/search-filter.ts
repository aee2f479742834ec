import { z } from 'zod'
import { uuidSchema } from '@/sandbox/http/read-body'
import {
  booleanParameter,
  dateTimeParameter,
  dayParameter,
  makeEnumListSchema,
  makePagingParameters,
  searchTextParameter,
  wholeNumberParameter,
} from '@/sandbox/http/read-query'
import type { Sandbox } from '@/sandbox/sandbox'
import { uuidPattern } from '@/sandbox/store/store'
import { type PaymentFilter, paymentSortKeys } from './payment-columns'
import { toDayNumber } from './payment-store'
import { paymentStatuses, paymentTypes, statusReasons, statusSources } from './payment-values'

/** Query of the payments search. Amounts are in cents; bounds are inclusive. */
export const paymentSearchQuerySchema = z.strictObject({
  ...makePagingParameters(paymentSortKeys),
  payment_type: makeEnumListSchema(paymentTypes),
  payment_status: makeEnumListSchema(paymentStatuses),
  status_reason: makeEnumListSchema(statusReasons),
  status_source: makeEnumListSchema(statusSources),
  payment_id: uuidSchema.optional(),
  customer_id: uuidSchema.optional(),
  paykey_id: uuidSchema.optional(),
  funding_id: uuidSchema.optional(),
  paykey: z.string().optional(),
  external_id: z.string().optional(),
  min_amount: wholeNumberParameter.optional(),
  max_amount: wholeNumberParameter.optional(),
  min_payment_date: dayParameter.optional(),
  max_payment_date: dayParameter.optional(),
  min_created_at: dateTimeParameter.optional(),
  max_created_at: dateTimeParameter.optional(),
  min_effective_at: dateTimeParameter.optional(),
  max_effective_at: dateTimeParameter.optional(),
  min_updated_at: dateTimeParameter.optional(),
  max_updated_at: dateTimeParameter.optional(),
  search_text: searchTextParameter,
  include_metadata: booleanParameter.optional(),
  is_refund: booleanParameter.optional(),
  has_refund: booleanParameter.optional(),
  is_resubmit: booleanParameter.optional(),
  has_resubmit: booleanParameter.optional(),
})

type SearchQuery = z.infer<typeof paymentSearchQuerySchema>

// Each kind of filter has its own loop without function calls, for speed with a million payments.

function makeCodeFilter(
  codes: ArrayLike<number>,
  allValues: readonly string[],
  requestedValues: readonly string[] | undefined,
): PaymentFilter[] {
  if (!requestedValues || requestedValues.length === 0) return []
  const allowedCodes = new Uint8Array(256)
  for (const requestedValue of requestedValues) allowedCodes[allValues.indexOf(requestedValue)] = 1
  const filter: PaymentFilter = (marked) => {
    for (let slot = 0; slot < marked.length; slot++)
      if (allowedCodes[codes[slot] ?? 0] === 0) marked[slot] = 0
  }
  return [filter]
}

function makeValueFilter(values: ArrayLike<number>, expected: number | undefined): PaymentFilter[] {
  if (expected === undefined) return []
  const filter: PaymentFilter = (marked) => {
    for (let slot = 0; slot < marked.length; slot++) if (values[slot] !== expected) marked[slot] = 0
  }
  return [filter]
}

/** Bounds are inclusive. Negative values mean "not set" and are never in a range. */
function makeRangeFilter(
  values: ArrayLike<number>,
  min: number | undefined,
  max: number | undefined,
): PaymentFilter[] {
  if (min === undefined && max === undefined) return []
  const low = Math.max(0, min ?? 0)
  const high = max ?? Number.POSITIVE_INFINITY
  const filter: PaymentFilter = (marked) => {
    for (let slot = 0; slot < marked.length; slot++) {
      const value = values[slot] ?? -1
      if (value < low || value > high) marked[slot] = 0
    }
  }
  return [filter]
}

function makeFlagFilter(
  values: ArrayLike<number>,
  bit: number,
  expected: boolean | undefined,
): PaymentFilter[] {
  if (expected === undefined) return []
  const expectedBit = expected ? bit : 0
  const filter: PaymentFilter = (marked) => {
    for (let slot = 0; slot < marked.length; slot++)
      if (((values[slot] ?? 0) & bit) !== expectedBit) marked[slot] = 0
  }
  return [filter]
}

/** An unknown id matches nothing. */
function makeIdFilter(
  values: ArrayLike<number>,
  id: string | undefined,
  findRowNumber: (id: string) => number | undefined,
): PaymentFilter[] {
  return id === undefined ? [] : makeValueFilter(values, findRowNumber(id) ?? -1)
}

type ColumnNumbersFilter = readonly [values: ArrayLike<number>, numbers: readonly number[]]

/**
 * Sets the bit 2 in the entry of each payment that the column matches. The bit 1 is set if the
 * payment passed all earlier filters. `makeAnyMatchFilter` then keeps the payments with both bits.
 */
function markColumnMatches(marked: Uint8Array, [values, numbers]: ColumnNumbersFilter): void {
  const maxNumber = numbers.reduce((highest, number) => Math.max(highest, number), 0)
  const numberMarks = new Uint8Array(maxNumber + 1)
  for (const number of numbers) numberMarks[number] = 2
  for (let slot = 0; slot < marked.length; slot++) {
    const number = values[slot] ?? 0
    // Check the bound first: reading beyond the end of a typed array is many times slower.
    if (number <= maxNumber && numberMarks[number] === 2) marked[slot] = (marked[slot] ?? 0) | 2
  }
}

function makeAnyMatchFilter(
  slots: readonly number[],
  ...columns: readonly ColumnNumbersFilter[]
): PaymentFilter {
  return (marked) => {
    for (const slot of slots) marked[slot] = (marked[slot] ?? 0) | 2
    for (const column of columns) markColumnMatches(marked, column)
    for (let slot = 0; slot < marked.length; slot++) marked[slot] = marked[slot] === 3 ? 1 : 0
  }
}

const keepValidNumbers = (...numbers: (number | undefined)[]): number[] =>
  numbers.filter((number) => number !== undefined && number >= 0) as number[]

/** A deleted customer has no row number, so the row numbers of its paykeys select the payments. */
function toCustomerColumnFilter(
  { payments, customers, paykeys }: Sandbox,
  id: string,
): ColumnNumbersFilter {
  const customerRowNumber = customers.numberOf(id.toLowerCase())
  if (customerRowNumber !== undefined)
    return [payments.columns.column('customer'), [customerRowNumber]]
  const customerPaykeys = paykeys.find({ column: 'customer_id', is: id.toLowerCase() })
  return [payments.columns.column('paykey'), customerPaykeys.map(({ n }) => n)]
}

/**
 * A payment must match all words: inside the customer's name or e-mail, at the start of a word in
 * the description or client reference, or as the id of the payment, its customer or its paykey.
 */
function makeTextFilters(sandbox: Sandbox, text: string | undefined): PaymentFilter[] {
  const { payments, customers, paykeys } = sandbox
  const searchWords =
    text
      ?.toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '') ?? []
  const customerColumn = payments.columns.column('customer')
  const paykeyColumn = payments.columns.column('paykey')
  return searchWords.map((word) => {
    if (!uuidPattern.test(word))
      return makeAnyMatchFilter(payments.slotsOfWord(word), [
        customerColumn,
        customers.matching(word),
      ])
    return makeAnyMatchFilter(
      keepValidNumbers(payments.slotOf(word)),
      toCustomerColumnFilter(sandbox, word),
      [paykeyColumn, keepValidNumbers(paykeys.get(word)?.n)],
    )
  })
}

/**
 * Keeps the payments whose money a funding event moves or takes back. The event is given by its row
 * number; undefined matches nothing.
 */
export function makeFundingEventFilter(
  { payments, fundingEvents }: Sandbox,
  eventRowNumber: number | undefined,
): PaymentFilter {
  const eventNumbers = eventRowNumber === undefined ? [] : [eventRowNumber]
  const returnedPaymentNumbers = eventNumbers.flatMap((n) =>
    fundingEvents.lines.paymentsTakenBack(n),
  )
  return makeAnyMatchFilter(
    returnedPaymentNumbers.map((n) => n - 1),
    [payments.columns.column('funding'), eventNumbers],
  )
}

const toOptionalDayNumber = (date: string | undefined) =>
  date === undefined ? undefined : toDayNumber(date)

export function makePaymentFilters(
  sandbox: Sandbox,
  query: SearchQuery,
  accountRowNumber: number | null,
): PaymentFilter[] {
  const { payments, paykeys, fundingEvents } = sandbox
  const getColumn = payments.columns.column.bind(payments.columns)
  return [
    ...(query.payment_id === undefined
      ? []
      : [makeAnyMatchFilter(keepValidNumbers(payments.slotOf(query.payment_id)))]),
    ...(query.external_id === undefined
      ? []
      : [makeAnyMatchFilter(payments.slotsOfExternalId(query.external_id))]),
    ...makeValueFilter(getColumn('account'), accountRowNumber ?? undefined),
    ...makeCodeFilter(getColumn('status'), paymentStatuses, query.payment_status),
    ...makeCodeFilter(getColumn('type'), paymentTypes, query.payment_type),
    ...makeCodeFilter(getColumn('reason'), statusReasons, query.status_reason),
    ...makeCodeFilter(getColumn('source'), statusSources, query.status_source),
    ...(query.customer_id === undefined
      ? []
      : [makeAnyMatchFilter([], toCustomerColumnFilter(sandbox, query.customer_id))]),
    ...makeIdFilter(getColumn('paykey'), query.paykey_id, (id) => paykeys.get(id)?.n),
    ...(query.funding_id === undefined
      ? []
      : [makeFundingEventFilter(sandbox, fundingEvents.numberOf(query.funding_id.toLowerCase()))]),
    ...(query.paykey === undefined
      ? []
      : [makeAnyMatchFilter([], [getColumn('paykey'), paykeys.withToken(query.paykey)])]),
    ...makeFlagFilter(getColumn('marks'), 1, query.is_refund),
    ...makeFlagFilter(getColumn('marks'), 2, query.has_refund),
    ...makeFlagFilter(getColumn('marks'), 4, query.is_resubmit),
    ...makeFlagFilter(getColumn('marks'), 8, query.has_resubmit),
    ...makeRangeFilter(getColumn('amount'), query.min_amount, query.max_amount),
    ...makeRangeFilter(
      getColumn('payment_date'),
      toOptionalDayNumber(query.min_payment_date),
      toOptionalDayNumber(query.max_payment_date),
    ),
    ...makeRangeFilter(getColumn('created_at'), query.min_created_at, query.max_created_at),
    ...makeRangeFilter(getColumn('effective_at'), query.min_effective_at, query.max_effective_at),
    ...makeRangeFilter(getColumn('updated_at'), query.min_updated_at, query.max_updated_at),
    ...makeTextFilters(sandbox, query.search_text),
  ]
}
