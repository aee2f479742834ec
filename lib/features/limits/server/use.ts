import 'server-only'
import { usedStates } from '@/lib/domain/holds/limit-checks'
import { type LimitType, limitTypes, typeWords } from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import type { LimitUse, LimitUses } from '@/lib/features/limits/tracking'
import { limitUsage, usageDates } from '@/lib/features/limits/usage'
import { isFull, totalOf } from '@/lib/operations/list-count'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { newRequestId } from '@/lib/server/service/request'
import { readService } from '@/lib/server/service/service-read'

/** One adding reads at most so many payments: with the busiest accounts the sums are lower bounds, and say so. */
const pageSize = 1000
const mostPages = 5

/** How long an adding is believed (milliseconds): several people look at the same limits, and the calls count against the shared rate budget. */
const believedFor = 60_000
const keptAtMost = 500

const kept = new Map<string, { at: number; use: Promise<LimitUse> }>()

/** `total` is null where nobody says how many there are; `unreadable` counts payments that came and could not be read. */
type Found = { payments: PaymentSummary[]; unreadable: number; total: number | null; readAt: string }

/** Every payment of one type that uses limits in the month and in the banking days before, the newest dates first, as far as the bound allows. */
async function paymentsOf(scope: ScopedAccount, type: LimitType, from: string, to: string): Promise<Found> {
  const asked = {
    payment_type: [typeWords[type].payment],
    payment_status: [...usedStates],
    min_payment_date: from,
    max_payment_date: to,
    page_size: pageSize,
    sort_by: 'payment_date' as const,
    sort_order: 'desc' as const,
  }
  const found: Found = { payments: [], unreadable: 0, total: 0, readAt: '' }
  for (let page = 1; page <= mostPages; page += 1) {
    const read = await readService('payments.search', { ...asked, page_number: page }, scope)
    found.payments.push(...read.data)
    found.unreadable += read.meta.unreadable_rows?.length ?? 0
    found.total = totalOf(read, { size: pageSize, number: page })
    found.readAt ||= read.meta.read_at
    if (!isFull(read, pageSize)) break
  }
  return found
}

async function readUse(scope: ScopedAccount, type: LimitType, now: number): Promise<LimitUse> {
  try {
    const { today, from, to } = usageDates(now)
    const { payments, unreadable, total, readAt } = await paymentsOf(scope, type, from, to)
    return { ok: true, usage: limitUsage(payments, total, today, env().amountUnit, unreadable), readAt }
  } catch (error) {
    const known = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on our side', { cause: error })
    return { ok: false, error: known.toWire(), requestId: known.requestId ?? newRequestId() }
  }
}

/**
 * What an account has used of the limits of one payment type, by our own adding, at most a minute old unless `fresh`. The scope was checked for
 * `payments.search` and names one account. Never throws: what could not be read says so, and is read again at the next asking.
 */
export function limitUseOf(scope: ScopedAccount, type: LimitType, { fresh = false } = {}): Promise<LimitUse> {
  const key = `${scope.environment} ${scope.accountId} ${type}`
  const known = kept.get(key)
  if (!fresh && known && performance.now() - known.at < believedFor) return known.use
  const use = readUse(scope, type, Date.now())
  void use.then((result) => !result.ok && kept.get(key)?.use === use && kept.delete(key))
  kept.delete(key)
  kept.set(key, { at: performance.now(), use })
  const oldest = kept.size > keptAtMost ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  return use
}

/** The same for both payment types. */
export async function limitUsesOf(scope: ScopedAccount, options: { fresh?: boolean } = {}): Promise<LimitUses> {
  const [charges, payouts] = await Promise.all(limitTypes.map((type) => limitUseOf(scope, type, options)))
  if (!charges || !payouts) throw new Error('there are two types')
  return { charges, payouts }
}
