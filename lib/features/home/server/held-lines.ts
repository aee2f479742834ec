import 'server-only'
import { explainHold, type HeldPaymentFacts } from '@/lib/domain/holds/explain-hold'
import {
  countsTowardLimit,
  findMissingFacts,
  toHeldPaymentFacts,
  toHeldPaymentPaykey,
  toMonthFilter,
} from '@/lib/domain/holds/limit-checks'
import { type Payment, parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { toMinorUnits } from '@/lib/money'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { tryParseAccountId } from '@/lib/server/auth/scoped-account'
import { loadMirrorRows, loadPaymentSums } from '@/lib/server/http/read'
import { inList } from '@/lib/server/mirror/conditions'
import type { MirrorRow } from '@/lib/server/mirror/query'
import type { GroupedPaymentSum } from '@/lib/server/mirror/sums'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import type { RowWithAccount } from './queue-read'

type HeldPayment = RowWithAccount<PaymentSummary> & { facts: HeldPaymentFacts }

/** An object that cannot be read is missing in the map. */
async function loadRowsById<K extends MirrorListId>(
  context: PageContext,
  id: K,
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, MirrorRow<K>>> {
  const rowsResult = await loadMirrorRows(context, id, [
    ...new Set(ids.flatMap((each) => each ?? [])),
  ])
  return new Map(rowsResult.ok ? rowsResult.rows.map((row) => [row.id, row]) : [])
}

async function readHoldFacts(
  context: PageContext,
  paymentRows: readonly RowWithAccount<PaymentSummary>[],
): Promise<HeldPayment[]> {
  const accountIds = paymentRows.map(({ account }) => tryParseAccountId(account))
  const [fullPayments, paykeys, accounts] = await Promise.all([
    loadRowsById(
      context,
      'payments.search',
      paymentRows.map(({ row }) => row.id),
    ),
    loadRowsById(
      context,
      'paykeys.list',
      paymentRows.map(({ row }) => row.paykey_details?.id),
    ),
    loadRowsById(context, 'accounts.list', accountIds),
  ])
  return paymentRows.map(({ row, account }, at) => {
    const kind = parsePaymentKind(row.payment_type)
    const fullPayment = fullPayments.get(row.id)?.record as Payment | null | undefined
    const paykey = paykeys.get(row.paykey_details?.id ?? '')?.object
    const accountSettings = accounts.get(accountIds[at] ?? '')?.object.settings
    const facts: HeldPaymentFacts = {
      ...(fullPayment ? toHeldPaymentFacts(fullPayment) : {}),
      details: row.status_details,
      amount: toMinorUnits(row.amount, context.amountUnit),
      paykey: paykey && toHeldPaymentPaykey(paykey),
      limits: kind ? accountSettings?.[resourceByKind[kind]] : undefined,
    }
    return { row, account, facts }
  })
}

type DaySum = GroupedPaymentSum<'account' | 'type' | 'date' | 'status'>

/** Null if not all payments could be read, because the sums would then be too low. */
async function readMonthSums(
  context: PageContext,
  filter: ReturnType<typeof toMonthFilter>,
  held: readonly HeldPayment[],
): Promise<DaySum[] | null> {
  const { payment_type: _, page_size: __, ...month } = filter
  const heldAccountIds = [
    ...new Set(held.flatMap(({ account }) => tryParseAccountId(account) ?? [])),
  ]
  const sumsResult = await loadPaymentSums(
    context,
    month,
    ['account', 'type', 'date', 'status'],
    inList(mirrorPayments.accountId, heldAccountIds),
  )
  return sumsResult.ok && !sumsResult.meta.unreadable_rows?.length ? sumsResult.data : null
}

/** Leaves out the held payment: it uses no limit. Null if a state or amount is unreadable. */
function sumOtherPayments(
  { row, account }: HeldPayment,
  sums: readonly DaySum[],
): HeldPaymentFacts['spent'] {
  const accountSums = sums.filter(
    (sum) => sum.type === row.payment_type && sum.account === tryParseAccountId(account),
  )
  const countedSums = accountSums.filter(countsTowardLimit)
  if (
    accountSums.some(({ status }) => status === '') ||
    countedSums.some(({ unreadable }) => unreadable > 0)
  )
    return null
  const sumAmounts = (daySums: readonly DaySum[]) =>
    daySums.reduce((all, { minor }) => all + minor, 0)
  return {
    day: sumAmounts(countedSums.filter(({ date }) => date === row.payment_date)),
    month: sumAmounts(countedSums),
  }
}

async function addSpentSums(
  context: PageContext,
  held: readonly HeldPayment[],
): Promise<HeldPayment[]> {
  const heldByMonth = new Map<string, HeldPayment[]>()
  for (const heldPayment of held) {
    if (
      !findMissingFacts(heldPayment.facts).sums ||
      !heldPayment.account ||
      !heldPayment.row.payment_date
    )
      continue
    const month = heldPayment.row.payment_date.slice(0, 7)
    heldByMonth.set(month, [...(heldByMonth.get(month) ?? []), heldPayment])
  }
  const readSumsOfMonth = async ([month, some]: [string, HeldPayment[]]) =>
    [month, await readMonthSums(context, toMonthFilter('payout', `${month}-01`), some)] as const
  const sumsByMonth = new Map(await Promise.all([...heldByMonth].map(readSumsOfMonth)))
  return held.map((each) => {
    const month = each.row.payment_date?.slice(0, 7) ?? ''
    if (!heldByMonth.get(month)?.includes(each)) return each
    const monthSums = sumsByMonth.get(month)
    return {
      ...each,
      facts: { ...each.facts, spent: monthSums ? sumOtherPayments(each, monthSums) : null },
    }
  })
}

/** Uses only fields of a search result: the text is shorter than on the payment's page. */
const toShortHoldReason = ({ status_details: details }: PaymentSummary): string =>
  explainHold({ details }).line

async function readHoldReasons(
  context: PageContext,
  paymentRows: readonly RowWithAccount<PaymentSummary>[],
): Promise<Map<string, string>> {
  const heldPayments = await addSpentSums(context, await readHoldFacts(context, paymentRows))
  return new Map(heldPayments.map(({ row, facts }) => [row.id, explainHold(facts).line]))
}

/**
 * Uses the same facts as the payment's page, so that both give the same reason. Never throws: if
 * facts could not be read, the text is shorter.
 */
export async function loadHoldReasonLookup(
  context: PageContext,
  paymentRows: readonly RowWithAccount<PaymentSummary>[],
): Promise<(payment: PaymentSummary) => string> {
  const heldPayments = paymentRows.filter(({ row }) => row.status === 'on_hold')
  const holdReasonById =
    heldPayments.length === 0
      ? undefined
      : await readHoldReasons(context, heldPayments).catch(() => undefined)
  return (payment) => holdReasonById?.get(payment.id) ?? toShortHoldReason(payment)
}

/**
 * Call it for all rows of a page without waiting between the calls: it then reads the facts of all
 * rows together. A row that is added later gets only the short text.
 */
export function createHoldReasonLoader(
  context: PageContext,
): (row: PaymentSummary, account: string | null) => Promise<string> {
  const pageRows: RowWithAccount<PaymentSummary>[] = []
  let pendingLookup: ReturnType<typeof loadHoldReasonLookup> | undefined
  return (row, account) => {
    pageRows.push({ row, account })
    pendingLookup ??= Promise.resolve().then(() => loadHoldReasonLookup(context, pageRows))
    return pendingLookup.then((lineOf) => lineOf(row))
  }
}
