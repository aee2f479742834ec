import 'server-only'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { readService } from './proxy/service-read'
import type { ScopedAccount } from './scoped-account'

const pageSize = 1000
/** Payments are counted up to this many pages: more would eat the rate budget everybody shares. */
const mostPages = 10

/** What belongs to a customer; `partial` where there are more payments than were read. */
export type Belongings = { paykeys: PaykeySummary[]; payments: PaymentSummary[]; partial: boolean }

async function paymentsOf(scope: ScopedAccount, customerId: string): Promise<{ payments: PaymentSummary[]; partial: boolean }> {
  const payments: PaymentSummary[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const paging = { page_number: page, page_size: pageSize, sort_by: 'id' as const, sort_order: 'asc' as const }
    const { data } = await readService('payments.search', { customer_id: customerId, ...paging }, scope)
    payments.push(...data)
    if (data.length < pageSize) return { payments, partial: false }
  }
  return { payments, partial: true }
}

/** Reads a customer's bank accounts and payments in a scope. Throws what a read throws. */
export async function belongingsOf(scope: ScopedAccount, customerId: string): Promise<Belongings> {
  const [paykeys, found] = await Promise.all([
    readService('paykeys.list', { customer_id: customerId, page_size: pageSize }, scope),
    paymentsOf(scope, customerId),
  ])
  return { paykeys: paykeys.data, ...found }
}

/** The payments of a customer in some states, however many there are in others: the first fifty, and how many in all. */
export async function paymentsIn(
  scope: ScopedAccount,
  customerId: string,
  states: readonly string[],
): Promise<{ payments: PaymentSummary[]; total: number }> {
  const { data, meta } = await readService(
    'payments.search',
    { customer_id: customerId, payment_status: [...states], page_size: 50, sort_by: 'created_at', sort_order: 'asc' },
    scope,
  )
  return { payments: data, total: meta.total_items ?? data.length }
}
