import 'server-only'
import { statesCountedInLimits } from '@/lib/domain/holds/limit-checks'
import {
  type LimitedPaymentType,
  limitedPaymentTypes,
  paymentTypeNouns,
} from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import type { LimitUse, LimitUses } from '@/lib/features/limits/tracking'
import { computeLimitUsage, getUsageDates } from '@/lib/features/limits/usage'
import type { Environment } from '@/lib/operations/define'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getIntegration } from '@/lib/server/config/integration'
import { parseInput } from '@/lib/server/http/input'
import { inList } from '@/lib/server/mirror/conditions'
import type { ListInput } from '@/lib/server/mirror/lists'
import { sumPayments } from '@/lib/server/mirror/sums'
import { createRequestId } from '@/lib/server/service/request'
import { mirrorPayments as payments } from '@/lib/server/store/schema/mirror-payments'
import { readLastCheck } from '@/lib/server/sync/state'

/** '' is a state that could not be parsed. */
const summedPaymentStates = [...statesCountedInLimits, '']

/** Reads this month's payments, and those of the banking days of a forecast, for all accounts. */
async function loadLimitUseLookup(
  actor: Actor,
  environment: Environment,
  accountIds: readonly string[],
) {
  const { today, from, to } = getUsageDates(Date.now())
  const paymentsFilter = parseInput('payments.search', {
    min_payment_date: from,
    max_payment_date: to,
  }) as ListInput<'payments.search'>
  // The payments of a direct account name no account.
  const isDirectAccount = getIntegration(environment) === 'account'
  const paymentSumConditions = [
    ...(isDirectAccount ? [] : inList(payments.accountId, accountIds)),
    ...inList(payments.status, summedPaymentStates),
  ]
  const [sums, { checkedAt, unreadable }] = await Promise.all([
    sumPayments(
      actor,
      paymentsFilter,
      { environment, accountId: null },
      ['account', 'type', 'date', 'status', 'currency'],
      paymentSumConditions,
    ),
    readLastCheck(environment, 'payments'),
  ])
  const countUnreadRows = (account: string | null) =>
    checkedAt ? unreadable.filter((row) => row.account === account).length : null
  return (limitAccount: string, type: LimitedPaymentType): LimitUse => {
    const account = isDirectAccount ? null : limitAccount
    const accountSums = sums.filter(
      (sum) => sum.account === account && sum.type === paymentTypeNouns[type].payment,
    )
    return {
      ok: true,
      usage: computeLimitUsage(accountSums, today, countUnreadRows(account)),
      readAt: checkedAt?.toISOString() ?? '',
    }
  }
}

/**
 * Takes and looks up ids without `acct_`. The caller must have checked that the person may see the
 * payments. Never throws: the result then contains the error.
 */
export async function readLimitUsesLookup(
  actor: Actor,
  environment: Environment,
  accountIds: readonly string[],
): Promise<(account: string) => LimitUses> {
  const getLimitUse = await loadLimitUseLookup(actor, environment, accountIds).catch(
    (error: unknown) => {
      const appError =
        error instanceof AppError
          ? error
          : new AppError('internal', 'Something went wrong on our side', { cause: error })
      const failedUse: LimitUse = {
        ok: false,
        error: appError.toWire(),
        requestId: appError.requestId ?? createRequestId(),
      }
      return () => failedUse
    },
  )
  return (account) => {
    const [charges, payouts] = limitedPaymentTypes.map((type) => getLimitUse(account, type))
    if (!charges || !payouts) throw new Error('there are two types')
    return { charges, payouts }
  }
}

/** The caller must have checked the permission. */
export async function readScopeLimitUses(
  { environment, accountId }: ScopedAccount,
  actor: Actor,
): Promise<LimitUses> {
  const account = accountId ?? ''
  return (await readLimitUsesLookup(actor, environment, [account]))(account)
}
