import fc from 'fast-check'
import type { MirrorListId } from '@/lib/operations/service-operations'

export type FilterSourceRow = { id: string } & Readonly<Record<string, unknown>>
export type ObjectFields = Readonly<Record<string, unknown>>

const readField = (row: FilterSourceRow, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as ObjectFields)[name] : undefined),
    row,
  )
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const splitWords = (value: unknown): string[] => toText(value).split(/\s+/).filter(Boolean)

/**
 * Returns filters for a list, built from two of its rows: exact values of the row `one`, and ranges
 * from one row to the other.
 */
type FilterGenerator = (
  one: FilterSourceRow,
  other: FilterSourceRow,
  accounts: readonly FilterSourceRow[],
) => ObjectFields

const toRangeFilter = (
  filterName: string,
  field: string,
  one: FilterSourceRow,
  other: FilterSourceRow,
) => {
  const [low, high] = [toText(one[field]), toText(other[field])].sort()
  return { [`min_${filterName}`]: low || undefined, [`max_${filterName}`]: high || undefined }
}
const toCreationTimeFilter = (one: FilterSourceRow, other: FilterSourceRow) => {
  const [low, high] = [toText(one.created_at), toText(other.created_at)].sort()
  return { created_from: low || undefined, created_to: high || undefined }
}
const truncateToDays = (timestamps: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(timestamps).map(([name, at]) => [name, at?.slice(0, 10)]))

// The generators of filters for each list. They take search words from names, references and
// descriptions, but not from email addresses: the service finds complete addresses, while the
// mirror (our copy of its lists) contains only their domains.
export const filterGenerators: Readonly<Record<MirrorListId, FilterGenerator>> = {
  'payments.search': (one, other) => ({
    payment_type: [one.payment_type],
    payment_status: [...new Set([one.status, other.status])],
    payment_id: one.id,
    external_id: one.external_id,
    customer_id: readField(one, 'customer_details', 'id'),
    paykey_id: readField(one, 'paykey_details', 'id'),
    min_amount: Math.min(Number(one.amount), Number(other.amount)),
    max_amount: Math.max(Number(one.amount), Number(other.amount)),
    ...toRangeFilter('payment_date', 'payment_date', one, other),
    ...toRangeFilter('created_at', 'created_at', one, other),
    ...toRangeFilter('effective_at', 'effective_at', one, other),
    ...toRangeFilter('updated_at', 'updated_at', one, other),
    funding_id: (one.funding_ids as string[])[0],
    search_text: fc.sample(
      fc.constantFrom(
        splitWords(readField(one, 'customer_details', 'name')).at(-1),
        readField(one, 'customer_details', 'name'),
        splitWords(one.description)[0]?.slice(0, 3),
        one.description,
        toText(one.external_id).slice(0, 8),
        `${splitWords(one.description)[0]} ${splitWords(readField(other, 'customer_details', 'name'))[0]}`,
        readField(one, 'customer_details', 'id'),
        readField(one, 'paykey_details', 'id'),
        one.id,
        'nobody-has-this',
      ),
      { numRuns: 1, seed: Number(one.amount) },
    )[0],
    status_reason: [readField(one, 'status_details', 'reason')],
    status_source: [
      readField(one, 'status_details', 'source'),
      readField(other, 'status_details', 'source'),
    ],
    include_metadata: true,
    is_refund: one.is_refund,
    has_refund: one.has_refund,
    is_resubmit: one.is_resubmit,
    has_resubmit: one.has_resubmit,
  }),
  'customers.list': (one, other) => ({
    ...toCreationTimeFilter(one, other),
    name: toText(one.name).slice(1, 5).trim() || undefined,
    external_id: one.external_id,
    status: [...new Set([one.status, other.status])],
    types: [one.type],
    search_text: toText(other.name) || undefined,
  }),
  'paykeys.list': (one, other) => ({
    ...toCreationTimeFilter(one, other),
    customer_id: one.customer_id,
    status: [...new Set([one.status, other.status])],
    source: [one.source],
    unblock_eligible: one.unblock_eligible ?? true,
    search_text: fc.sample(
      fc.constantFrom(one.label, one.external_id, one.id, one.customer_id, one.source),
      { numRuns: 1, seed: 7 },
    )[0],
  }),
  'funding_events.list': (one, other) => ({
    ...truncateToDays(toCreationTimeFilter(one, other)),
    direction: one.direction,
    event_type: one.event_type,
    trace_number: one.trace_number,
    trace_id: one.trace_number,
    search_text: one.transfer_date,
    status: [...new Set([one.status, other.status])],
    status_reason: [readField(one, 'status_details', 'reason')],
    status_source: [readField(one, 'status_details', 'source')],
  }),
  'accounts.list': (one) => ({
    search_text: splitWords(readField(one, 'business_profile', 'name'))[0],
    status: one.status,
    type: one.type,
    external_id: one.external_id,
  }),
  'capability_requests.list': (one) => ({
    type: one.type,
    category: one.category,
    status: ['in_review', 'active', 'inactive', 'rejected'].find((status) => status === one.status),
  }),
  'organizations.list': (one) => ({
    name: toText(one.name).slice(2, 6).trim() || undefined,
    external_id: one.external_id,
  }),
  'representatives.list': (one, other, accounts) => ({
    account_id: one.account_id,
    organization_id: accounts.find(({ id }) => id === other.account_id)?.organization_id,
    level: 'account',
  }),
  'linked_bank_accounts.list': (one) => ({
    account_id: one.account_id,
    level: one.account_id ? 'account' : 'platform',
    purpose: (one.purposes as string[])[0],
    status: one.status,
  }),
}
