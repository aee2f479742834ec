import 'server-only'
import { limitStates } from '@/lib/domain/holds/limit-checks'
import { type LimitType, limitTypes, typeWords } from '@/lib/domain/limit-labels'
import { AppError } from '@/lib/errors'
import type { LimitUse, LimitUses } from '@/lib/features/limits/tracking'
import { computeLimitUsage, getUsageDates } from '@/lib/features/limits/usage'
import type { Environment } from '@/lib/operations/define'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { parseInput } from '@/lib/server/http/input'
import { inList } from '@/lib/server/mirror/conditions'
import type { ListInput } from '@/lib/server/mirror/lists'
import { sumPayments } from '@/lib/server/mirror/sums'
import { newRequestId } from '@/lib/server/service/request'
import { mirrorPayments as payments } from '@/lib/server/store/schema/mirror-payments'
import { readLastCheck } from '@/lib/server/sync/state'

/** The states that use limits, and '' for a state that could not be parsed. */
const summedStates = [...limitStates, '']

/** Returns a function for the use of an account's limits, from the payments of this month and the banking days before it. */
async function readUsageSums(actor: Actor, environment: Environment, accounts: readonly string[]) {
  const { today, from, to } = getUsageDates(Date.now())
  const filter = parseInput('payments.search', { min_payment_date: from, max_payment_date: to }) as ListInput<'payments.search'>
  const sumConditions = [...inList(payments.accountId, accounts), ...inList(payments.status, summedStates)]
  const [sums, { checkedAt, unreadable }] = await Promise.all([
    sumPayments(actor, filter, { environment, accountId: null }, ['account', 'type', 'date', 'status', 'currency'], sumConditions),
    readLastCheck(environment, 'payments'),
  ])
  const countUnread = (account: string) => (checkedAt ? unreadable.filter((row) => row.account === account).length : null)
  return (account: string, type: LimitType): LimitUse => {
    const accountSums = sums.filter((sum) => sum.account === account && sum.type === typeWords[type].payment)
    return { ok: true, usage: computeLimitUsage(accountSums, today, countUnread(account)), readAt: checkedAt?.toISOString() ?? '' }
  }
}

/**
 * Returns a function for the use of an account's limits, for both payment types. All accounts (ids) are read at once. The caller must have
 * checked that the person may see their payments. Never throws: a failed read is returned as an error.
 */
export async function readLimitUses(
  actor: Actor,
  environment: Environment,
  accounts: readonly string[],
): Promise<(account: string) => LimitUses> {
  const findUse = await readUsageSums(actor, environment, accounts).catch((error: unknown) => {
    const appError = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on our side', { cause: error })
    const failedUse: LimitUse = { ok: false, error: appError.toWire(), requestId: appError.requestId ?? newRequestId() }
    return () => failedUse
  })
  return (account) => {
    const [charges, payouts] = limitTypes.map((type) => findUse(account, type))
    if (!charges || !payouts) throw new Error('there are two types')
    return { charges, payouts }
  }
}

/** Returns the use of the limits in the account of a scope. The caller must have checked the permission. */
export async function readScopeLimitUses({ environment, accountId }: ScopedAccount, actor: Actor): Promise<LimitUses> {
  const account = accountId ?? ''
  return (await readLimitUses(actor, environment, [account]))(account)
}
