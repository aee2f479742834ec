import type { Sandbox } from '@/sandbox/sandbox'
import { uuidPattern } from '@/sandbox/store/new-id'
import { paymentStatuses, paymentTypes, statusReasons, statusSources } from './payment'
import type { PaymentColumns, Wanted } from './payment-columns'
import { dayNumber } from './payment-table'
import type { SearchQuery } from './search-payments'

const never: Wanted = () => false

/** Keeps the slots whose code is one of the asked words. */
function oneOf(codes: ArrayLike<number>, all: readonly string[], asked: readonly string[] | undefined): Wanted[] {
  if (!asked || asked.length === 0) return []
  const allowed = new Uint8Array(256)
  for (const word of asked) allowed[all.indexOf(word)] = 1
  return [(slot) => allowed[codes[slot] ?? 0] === 1]
}

function equals(values: ArrayLike<number>, asked: number | undefined): Wanted[] {
  return asked === undefined ? [] : [(slot) => values[slot] === asked]
}

/** Both bounds inclusive. A value below zero stands for "not set" and is in no range. */
function between(values: ArrayLike<number>, min: number | undefined, max: number | undefined): Wanted[] {
  if (min === undefined && max === undefined) return []
  const low = Math.max(0, min ?? 0)
  const high = max ?? Number.POSITIVE_INFINITY
  return [(slot) => (values[slot] ?? -1) >= low && (values[slot] ?? -1) <= high]
}

function marked(marks: ArrayLike<number>, bit: number, asked: boolean | undefined): Wanted[] {
  return asked === undefined ? [] : [(slot) => (((marks[slot] ?? 0) & bit) !== 0) === asked]
}

/** An object named by id: unknown ids match nothing rather than everything. */
function named(values: ArrayLike<number>, id: string | undefined, find: (id: string) => number | undefined): Wanted[] {
  return id === undefined ? [] : equals(values, find(id) ?? -1)
}

/** A few slots looked up beforehand. */
function among(slots: readonly number[]): Wanted {
  const set = new Set(slots)
  return set.size === 0 ? never : (slot) => set.has(slot)
}

/** Keeps slots whose customer is marked, or that are marked themselves. */
function markedIn(columns: PaymentColumns, customers: readonly number[], slots: readonly number[]): Wanted {
  if (customers.length === 0 && slots.length < 100) return among(slots)
  const byCustomer = new Set(customers)
  const bySlot = new Uint8Array(columns.size)
  for (const slot of slots) bySlot[slot] = 1
  const customer = columns.column('customer')
  return (slot) => bySlot[slot] === 1 || byCustomer.has(customer[slot] ?? 0)
}

/**
 * Full text: every word must be found. A word matches inside the customer's name or e-mail, at the start of a word in description
 * or client reference, or as the whole id of the payment, its customer or its paykey.
 */
function textWanted({ payments, customers, paykeys }: Sandbox, text: string | undefined): Wanted[] {
  const words =
    text
      ?.toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '') ?? []
  return words.map((word) => {
    if (!uuidPattern.test(word)) return markedIn(payments.columns, customers.matching(word), payments.slotsOfWord(word))
    const slot = payments.slotOf(word)
    const customer = customers.get(word)?.n
    const paykey = paykeys.get(word)?.n
    const paykeyOf = payments.columns.column('paykey')
    const customerOf = payments.columns.column('customer')
    return (at) => at === slot || customerOf[at] === customer || paykeyOf[at] === paykey
  })
}

function paykeyTokenWanted({ payments, paykeys }: Sandbox, token: string | undefined): Wanted[] {
  if (token === undefined) return []
  const numbers = new Set(paykeys.withToken(token))
  const paykeyOf = payments.columns.column('paykey')
  return [(slot) => numbers.has(paykeyOf[slot] ?? 0)]
}

/** The query as one question per slot, cheap questions first; undefined when every payment is wanted. */
export function wantedBy(sandbox: Sandbox, query: SearchQuery, account: number | null): Wanted | undefined {
  const { payments, customers, paykeys } = sandbox
  const column = payments.columns.column.bind(payments.columns)
  const dayOf = (date: string | undefined) => (date === undefined ? undefined : dayNumber(date))
  const wanted = [
    ...(query.payment_id === undefined ? [] : [among([payments.slotOf(query.payment_id)])]),
    ...(query.external_id === undefined ? [] : [among(payments.slotsOfExternalId(query.external_id))]),
    ...equals(column('account'), account ?? undefined),
    ...oneOf(column('status'), paymentStatuses, query.payment_status),
    ...oneOf(column('type'), paymentTypes, query.payment_type),
    ...oneOf(column('reason'), statusReasons, query.status_reason),
    ...oneOf(column('source'), statusSources, query.status_source),
    ...named(column('customer'), query.customer_id, (id) => customers.get(id)?.n),
    ...named(column('paykey'), query.paykey_id, (id) => paykeys.get(id)?.n),
    ...named(column('funding'), query.funding_id, (id) => payments.fundingNumber(id)),
    ...marked(column('marks'), 1, query.is_refund),
    ...marked(column('marks'), 2, query.has_refund),
    ...marked(column('marks'), 4, query.is_resubmit),
    ...marked(column('marks'), 8, query.has_resubmit),
    ...between(column('amount'), query.min_amount, query.max_amount),
    ...between(column('payment_date'), dayOf(query.min_payment_date), dayOf(query.max_payment_date)),
    ...between(column('created_at'), query.min_created_at, query.max_created_at),
    ...between(column('effective_at'), query.min_effective_at, query.max_effective_at),
    ...between(column('updated_at'), query.min_updated_at, query.max_updated_at),
    ...paykeyTokenWanted(sandbox, query.paykey),
    ...textWanted(sandbox, query.search_text),
  ]
  if (wanted.length === 0) return undefined
  return wanted.reduce((first, next) => (slot) => first(slot) && next(slot))
}
