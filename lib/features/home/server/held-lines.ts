import 'server-only'
import { explainHold, type HeldFacts } from '@/lib/domain/holds/explain-hold'
import { findMissingFacts, toHeldPaykey, toHeldPaymentFacts, toMonthFilter, usesLimit } from '@/lib/domain/holds/limit-checks'
import { type Payment, parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { toMinorUnits } from '@/lib/money'
import type { PageContext } from '@/lib/operations/page-context'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { tryParseAccount } from '@/lib/server/auth/scoped-account'
import { loadRows, loadSums } from '@/lib/server/http/read'
import { inList } from '@/lib/server/mirror/conditions'
import type { MirrorRow } from '@/lib/server/mirror/query'
import type { Sum } from '@/lib/server/mirror/sums'
import { mirrorPayments } from '@/lib/server/store/schema/mirror-payments'
import type { RowWithAccount } from './queue-read'

type HeldPayment = RowWithAccount<PaymentSummary> & { facts: HeldFacts }

/** Returns some objects by their ids. Objects that cannot be read are missing in the map. */
async function loadRowsById<K extends MirrorListId>(
  context: PageContext,
  id: K,
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, MirrorRow<K>>> {
  const read = await loadRows(context, id, [...new Set(ids.flatMap((each) => each ?? []))])
  return new Map(read.ok ? read.rows.map((row) => [row.id, row]) : [])
}

/** Returns held payments with the facts that explain the hold: from the payment itself, its bank account and its account. */
async function readFacts(context: PageContext, found: readonly RowWithAccount<PaymentSummary>[]): Promise<HeldPayment[]> {
  const accountIds = found.map(({ account }) => tryParseAccount(account))
  const [fullPayments, paykeys, accounts] = await Promise.all([
    loadRowsById(
      context,
      'payments.search',
      found.map(({ row }) => row.id),
    ),
    loadRowsById(
      context,
      'paykeys.list',
      found.map(({ row }) => row.paykey_details?.id),
    ),
    loadRowsById(context, 'accounts.list', accountIds),
  ])
  return found.map(({ row, account }, at) => {
    const kind = parsePaymentKind(row.payment_type)
    const fullPayment = fullPayments.get(row.id)?.record as Payment | null | undefined
    const paykey = paykeys.get(row.paykey_details?.id ?? '')?.object
    const settings = accounts.get(accountIds[at] ?? '')?.object.settings
    const facts: HeldFacts = {
      ...(fullPayment ? toHeldPaymentFacts(fullPayment) : {}),
      details: row.status_details,
      amount: toMinorUnits(row.amount, context.amountUnit),
      paykey: paykey && toHeldPaykey(paykey),
      limits: kind ? settings?.[resourceByKind[kind]] : undefined,
    }
    return { row, account, facts }
  })
}

type DaySum = Sum<'account' | 'type' | 'date' | 'status'>

/** Returns the sums of the payments of a month in the accounts of some held payments; null if not all could be read. */
async function readMonthSums(
  context: PageContext,
  filter: ReturnType<typeof toMonthFilter>,
  held: readonly HeldPayment[],
): Promise<DaySum[] | null> {
  const { payment_type: _, page_size: __, ...month } = filter
  const accounts = [...new Set(held.flatMap(({ account }) => tryParseAccount(account) ?? []))]
  const sumsRead = await loadSums(context, month, ['account', 'type', 'date', 'status'], inList(mirrorPayments.accountId, accounts))
  return sumsRead.ok && !sumsRead.meta.unreadable_rows?.length ? sumsRead.data : null
}

/**
 * Returns how much of the limits of a held payment's account is used, on its date and in its month. The held payment itself uses nothing.
 * Null if an amount or a state cannot be read.
 */
function spentByOtherPayments({ row, account }: HeldPayment, sums: readonly DaySum[]): HeldFacts['spent'] {
  const accountSums = sums.filter((sum) => sum.type === row.payment_type && sum.account === tryParseAccount(account))
  const usedSums = accountSums.filter(usesLimit)
  if (accountSums.some(({ status }) => status === '') || usedSums.some(({ unreadable }) => unreadable > 0)) return null
  const sum = (days: readonly DaySum[]) => days.reduce((all, { minor }) => all + minor, 0)
  return { day: sum(usedSums.filter(({ date }) => date === row.payment_date)), month: sum(usedSums) }
}

async function addSums(context: PageContext, held: readonly HeldPayment[]): Promise<HeldPayment[]> {
  const heldByMonth = new Map<string, HeldPayment[]>()
  for (const heldPayment of held) {
    if (!findMissingFacts(heldPayment.facts).sums || !heldPayment.account || !heldPayment.row.payment_date) continue
    const month = heldPayment.row.payment_date.slice(0, 7)
    heldByMonth.set(month, [...(heldByMonth.get(month) ?? []), heldPayment])
  }
  const readMonthEntry = async ([month, some]: [string, HeldPayment[]]) =>
    [month, await readMonthSums(context, toMonthFilter('payout', `${month}-01`), some)] as const
  const months = new Map(await Promise.all([...heldByMonth].map(readMonthEntry)))
  return held.map((each) => {
    const month = each.row.payment_date?.slice(0, 7) ?? ''
    if (!heldByMonth.get(month)?.includes(each)) return each
    const sums = months.get(month)
    return { ...each, facts: { ...each.facts, spent: sums ? spentByOtherPayments(each, sums) : null } }
  })
}

/** Returns why a payment is held, based only on the fields of the search. */
const toShortHeldLine = ({ status_details: details }: PaymentSummary): string => explainHold({ details }).line

async function readHeldLines(context: PageContext, found: readonly RowWithAccount<PaymentSummary>[]): Promise<Map<string, string>> {
  const heldPayments = await addSums(context, await readFacts(context, found))
  return new Map(heldPayments.map(({ row, facts }) => [row.id, explainHold(facts).line]))
}

/**
 * Returns a function that returns why a payment is held. It uses the same facts as the payment's page: the bank account, the account's
 * limits, and how much of them is used. Never throws: if facts could not be read, the explanation is shorter.
 */
export async function loadHeldLines(
  context: PageContext,
  found: readonly RowWithAccount<PaymentSummary>[],
): Promise<(payment: PaymentSummary) => string> {
  const heldPayments = found.filter(({ row }) => row.status === 'on_hold')
  const lines = heldPayments.length === 0 ? undefined : await readHeldLines(context, heldPayments).catch(() => undefined)
  return (payment) => lines?.get(payment.id) ?? toShortHeldLine(payment)
}

/**
 * Returns a function like that of `loadHeldLines`, for rows that are rendered one after another. The facts of a page's rows are read together.
 */
export function createHeldLineReader(context: PageContext): (row: PaymentSummary, account: string | null) => Promise<string> {
  const page: RowWithAccount<PaymentSummary>[] = []
  let pendingLines: ReturnType<typeof loadHeldLines> | undefined
  return (row, account) => {
    page.push({ row, account })
    pendingLines ??= Promise.resolve().then(() => loadHeldLines(context, page))
    return pendingLines.then((lineOf) => lineOf(row))
  }
}
