import 'server-only'
import { usedStates } from '@/lib/domain/holds/limit-checks'
import { type LimitType, limitTypes, typeWords } from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import type { LimitUse, LimitUses } from '@/lib/features/limits/tracking'
import { limitUsage, usageDates } from '@/lib/features/limits/usage'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { parseInput } from '@/lib/server/http/input'
import { readList } from '@/lib/server/http/prepare'
import { newRequestId } from '@/lib/server/service/request'

/** One adding reads at most so many payments: with the busiest accounts the sums are lower bounds, and say so. */
const pageSize = 1000
const mostPages = 5

/** Whose payments: the account of a scope, as a person may see them. */
type Asker = { actor: Actor; scope: ScopedAccount }

/** Every payment of one type that uses limits in the month and in the banking days before, the newest dates first, as far as the bound allows. */
async function paymentsOf({ actor, scope }: Asker, type: LimitType, from: string, to: string) {
  const asked = {
    payment_type: [typeWords[type].payment],
    payment_status: [...usedStates],
    min_payment_date: from,
    max_payment_date: to,
    page_size: pageSize,
    sort_by: 'payment_date',
    sort_order: 'desc',
  }
  const payments: PaymentSummary[] = []
  let unreadable = 0
  for (let page = 1; ; page += 1) {
    const { data, meta } = await readList(actor, 'payments.search', parseInput('payments.search', { ...asked, page_number: page }), scope)
    payments.push(...data)
    unreadable += meta.unreadable_rows?.length ?? 0
    if (data.length < pageSize || page === mostPages)
      return { payments, unreadable, total: meta.total_items ?? null, readAt: meta.read_at ?? '' }
  }
}

async function readUse(asker: Asker, type: LimitType, now: number): Promise<LimitUse> {
  try {
    const { today, from, to } = usageDates(now)
    const { payments, unreadable, total, readAt } = await paymentsOf(asker, type, from, to)
    return { ok: true, usage: limitUsage(payments, total, today, env().amountUnit, unreadable), readAt }
  } catch (error) {
    const known = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on our side', { cause: error })
    return { ok: false, error: known.toWire(), requestId: known.requestId ?? newRequestId() }
  }
}

/**
 * What an account has used of the limits of both payment types, by our own adding. The scope was checked for `payments.search` and names one account. Never
 * throws: what could not be read says so.
 */
export async function limitUsesOf(asker: Asker): Promise<LimitUses> {
  const [charges, payouts] = await Promise.all(limitTypes.map((type) => readUse(asker, type, Date.now())))
  if (!charges || !payouts) throw new Error('there are two types')
  return { charges, payouts }
}
