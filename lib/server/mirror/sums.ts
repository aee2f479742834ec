import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { toNewYorkDate } from '@/lib/dates'
import { parseNewYorkTime } from '@/lib/domain/bank-time'
import { readRowsForAccounts } from '@/lib/server/store/read-for-accounts'
import {
  mirrorPayments as payments,
  mirrorPaymentSums as sums,
} from '@/lib/server/store/schema/mirror-payments'
import type { Conditions } from './conditions'
import type { ListInput } from './lists'
import {
  canSeeAllRows,
  findGrantedAccountIds,
  type ListScope,
  toMatchingRowsCondition,
  type Viewer,
} from './row-visibility'

/**
 * `day` is the settlement day in New York, `date` the payment date. `since` is not a group: it
 * returns the earliest time at which a payment of the group entered its state (ISO).
 */
const columnByGroupKey = {
  account: payments.accountId,
  type: payments.paymentType,
  status: payments.status,
  source: payments.statusSource,
  code: payments.code,
  refund: payments.isRefund,
  currency: payments.currency,
  paykey: payments.paykeyId,
  date: sql`${payments.paymentDate}::text`,
  day: sql`(${payments.effectiveAt} at time zone 'America/New_York')::date::text`,
  since: sql`min(coalesce(${payments.changedAt}, ${payments.updatedAt}, ${payments.createdAt}))`,
} satisfies Record<string, AnyColumn | SQL>

export type SumGroupKey = keyof typeof columnByGroupKey

type GroupKeyValues = {
  [K in SumGroupKey]: K extends 'refund'
    ? boolean | null
    : K extends 'type' | 'status'
      ? string
      : string | null
}

/** `minor` is in cents. It omits payments with an unreadable amount, which `unreadable` counts. */
export type GroupedPaymentSum<K extends SumGroupKey> = Pick<GroupKeyValues, K> & {
  count: number
  minor: number
  unreadable: number
}

type PaymentSearchInput = ListInput<'payments.search'>

/**
 * The keys and filters that the stored daily sums support. The fields in `pagingFields` have no
 * effect on a sum.
 */
const dailySumGroupKeys: readonly SumGroupKey[] = [
  'type',
  'status',
  'source',
  'code',
  'refund',
  'currency',
  'date',
  'day',
]
const dailySumFilterFields = [
  'payment_type',
  'payment_status',
  'min_payment_date',
  'max_payment_date',
  'min_effective_at',
]
const pagingFields = ['sort_by', 'sort_order', 'page_number', 'page_size', 'include_metadata']

/** Null if the instant is not the start of a day. */
function findDayStartingAt(instant: string): string | null {
  const day = toNewYorkDate(Date.parse(instant))
  return parseNewYorkTime(day, '00:00') === Date.parse(instant) ? day : null
}

/** `from` is the payments or their daily sums; both have the same alias and column names. */
type SumSource = Readonly<Record<'from' | 'day' | 'where' | 'count' | 'minor' | 'unreadable', SQL>>

async function buildPaymentSumSource(
  actor: Viewer,
  input: PaymentSearchInput,
  scope: ListScope,
  extraConditions?: Conditions,
): Promise<SumSource> {
  return {
    from: sql`${payments}`,
    day: columnByGroupKey.day,
    where: await toMatchingRowsCondition('payments.search', input, actor, scope, extraConditions),
    count: sql`count(*)`,
    minor: sql`sum(${payments.amount})`,
    unreadable: sql`count(*) filter (where ${payments.amount} is null)`,
  }
}

/**
 * Null if the daily sums do not support the search. They include the payments of all accounts, so
 * neither the person nor the scope may be limited to some accounts.
 */
async function buildDailySumSource(
  actor: Viewer,
  input: PaymentSearchInput,
  scope: ListScope,
  sumKeys: readonly SumGroupKey[],
): Promise<SumSource | null> {
  const { min_effective_at: from, ...rest } = input
  const firstDay = from === undefined ? null : findDayStartingAt(from)
  const filterFields = Object.entries(input).flatMap(([field, value]) =>
    value === undefined || pagingFields.includes(field) ? [] : [field],
  )
  const areDailySumsUsable =
    sumKeys.every((key) => dailySumGroupKeys.includes(key)) &&
    filterFields.every((field) => dailySumFilterFields.includes(field))
  if (
    !areDailySumsUsable ||
    (from !== undefined && firstDay === null) ||
    !canSeeAllRows('payments.search', actor, scope)
  )
    return null
  return {
    from: sql`${sums} as ${payments}`,
    day: sql`settled_on::text`,
    where: await toMatchingRowsCondition(
      'payments.search',
      rest,
      actor,
      scope,
      firstDay === null ? [] : [sql`settled_on >= ${firstDay}`],
    ),
    count: sql`sum(count)`,
    minor: sql`sum(minor)`,
    unreadable: sql`sum(unreadable)`,
  }
}

/** Prefers the stored daily sums, because they have far fewer rows than the payments. */
export async function sumPayments<K extends SumGroupKey>(
  actor: Viewer,
  input: PaymentSearchInput,
  scope: ListScope,
  sumKeys: readonly K[],
  extraConditions?: Conditions,
): Promise<GroupedPaymentSum<K>[]> {
  const sumSource =
    (extraConditions ? null : await buildDailySumSource(actor, input, scope, sumKeys)) ??
    (await buildPaymentSumSource(actor, input, scope, extraConditions))
  const selectedKeysSql = sumKeys.map(
    (key) =>
      sql`${key === 'day' ? sumSource.day : columnByGroupKey[key]} as ${sql.identifier(key)}`,
  )
  const groupPositions = sumKeys.flatMap((key, at) =>
    key === 'since' ? [] : [sql.raw(String(at + 1))],
  )
  const comma = sql`, `
  // One JSON value: for the embedded store, reading many rows takes longer than the sum itself.
  const rows = await readRowsForAccounts<{
    sums: (GroupedPaymentSum<K> & { since?: string | null })[]
  }>(
    findGrantedAccountIds(actor, scope),
    sql`
    select coalesce(json_agg(sums), '[]') as sums from (
      select ${sql.join(selectedKeysSql, comma)}, ${sumSource.count}::int as count, coalesce(${sumSource.minor}, 0)::float8 as minor, ${sumSource.unreadable}::int as unreadable
      from ${sumSource.from} where ${sumSource.where} group by ${sql.join(groupPositions, comma)} having ${sumSource.count} <> 0) sums`,
  )
  return (rows[0]?.sums ?? []).map((row) =>
    row.since ? { ...row, since: new Date(row.since).toISOString() } : row,
  )
}
