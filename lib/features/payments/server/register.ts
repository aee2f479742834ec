import 'server-only'
import type { ReadResult } from '@/lib/domain/check'
import { monthFilter, recentFilter, type Spent, spentIn } from '@/lib/domain/holds/limit-checks'
import { type Payment, type PaymentKind, resourceOfKind } from '@/lib/domain/payment-kind'
import { startsFrom } from '@/lib/domain/payment-rules'
import { isKnownStatus } from '@/lib/domain/status'
import { paymentChecks } from '@/lib/features/payments/checks'
import { refundWarnings, releaseWarnings, resubmitWarnings } from '@/lib/features/payments/form'
import type { NewAction } from '@/lib/server/actions/action-log'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { type FindWarnings, readBeside, refuseUnticked, registerOperation, targetId } from '@/lib/server/http/registration'
import { asNotSent, readService } from '@/lib/server/service/service-read'

type Find = (kind: PaymentKind, payment: Payment, scope: ScopedAccount) => ReturnType<FindWarnings>

const byId = (id: string | null | undefined) => (id ? { id } : null)
const paykeyOf = ({ paykey_details: details }: Payment, scope: ScopedAccount) => readBeside('paykeys.get', byId(details?.id), scope)

/** Returns the sums of the account's payments of the month without this payment; null if they cannot be computed. */
function spentBeside(kind: PaymentKind, payment: Payment, scope: ScopedAccount): Promise<ReadResult<Spent | null>> {
  const filter = payment.payment_date ? monthFilter(kind, payment.payment_date) : null
  const { amountUnit } = env()
  return readBeside('payments.search', filter, scope, (read) => filter && spentIn(read, filter, payment, amountUnit))
}

/** Returns the warnings of a release. Reads the other payments again, because some may have been released since the page was loaded. */
const ofRelease: Find = async (kind, payment, scope) => {
  const now = Date.now()
  const paykeyId = payment.paykey_details?.id
  const [paykey, customer, account, spent, recent] = await Promise.all([
    paykeyOf(payment, scope),
    readBeside('customers.get', byId(payment.customer_details?.id), scope),
    readBeside('accounts.get', byId(scope.accountId), scope),
    spentBeside(kind, payment, scope),
    readBeside('payments.search', paykeyId ? recentFilter(kind, paykeyId, now) : null, scope),
  ])
  const facts = { kind, payment, paykey, customer, account, spent, recent, now, unit: env().amountUnit }
  return releaseWarnings(paymentChecks({ ...facts, readAt: new Date(now).toISOString() }))
}

const found = {
  release: ofRelease,
  resubmit: async (_, payment, scope) => resubmitWarnings(payment, await paykeyOf(payment, scope)),
  refund: async (_, payment) => refundWarnings(payment, Date.now()),
} as const satisfies Record<string, Find>

async function paymentOf(kind: PaymentKind, newAction: NewAction): Promise<Payment> {
  const { data } = await readService(`${resourceOfKind[kind]}.get`, { id: targetId(newAction) }, newAction.scope).catch(
    asNotSent(`The ${kind}`),
  )
  return data
}

/**
 * Returns the warnings to confirm for a write that moves money. None if the payment's status no longer permits the write, because the
 * service refuses it then. An unknown status does not count as such. Throws read errors.
 */
const paymentWarningsOf =
  (kind: PaymentKind, verb: keyof typeof found): FindWarnings =>
  async (newAction, read) => {
    const payment = (read as Payment | null) ?? (await paymentOf(kind, newAction))
    const isOver = isKnownStatus('payment', payment.status) && !startsFrom[verb].includes(payment.status)
    return isOver ? [] : found[verb](kind, payment, newAction.scope)
  }

registerOperation('payouts.release', { before: refuseUnticked(paymentWarningsOf('payout', 'release')) })
registerOperation('charges.release', { before: refuseUnticked(paymentWarningsOf('charge', 'release')) })
registerOperation('payouts.resubmit', { before: refuseUnticked(paymentWarningsOf('payout', 'resubmit')) })
registerOperation('charges.resubmit', { before: refuseUnticked(paymentWarningsOf('charge', 'resubmit')) })
registerOperation('charges.refund', { before: refuseUnticked(paymentWarningsOf('charge', 'refund')) })
