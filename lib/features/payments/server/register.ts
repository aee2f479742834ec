import 'server-only'
import type { ReadResult } from '@/lib/domain/check'
import { type SpentSums, sumSpentInPage, toMonthFilter, toRecentFilter } from '@/lib/domain/holds/limit-checks'
import { type Payment, type PaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { allowedStates } from '@/lib/domain/payment-rules'
import { isKnownStatus } from '@/lib/domain/status'
import { createPaymentChecks } from '@/lib/features/payments/checks'
import { listRefundWarnings, listReleaseWarnings, listResubmitWarnings } from '@/lib/features/payments/form'
import type { NewAction } from '@/lib/server/actions/action-log'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import {
  createWarningsPrecondition,
  type FindWarnings,
  getTargetId,
  readForDecision,
  registerOperation,
} from '@/lib/server/http/registration'
import { readService, throwNotSent } from '@/lib/server/service/service-read'

type FindPaymentWarnings = (kind: PaymentKind, payment: Payment, scope: ScopedAccount) => ReturnType<FindWarnings>

const toIdInput = (id: string | null | undefined) => (id ? { id } : null)
const readPaykey = ({ paykey_details: details }: Payment, scope: ScopedAccount) =>
  readForDecision('paykeys.get', toIdInput(details?.id), scope)

/** Returns the sums of the account's payments of the month without this payment; null if they cannot be computed. */
function readSpentByOthers(kind: PaymentKind, payment: Payment, scope: ScopedAccount): Promise<ReadResult<SpentSums | null>> {
  const filter = payment.payment_date ? toMonthFilter(kind, payment.payment_date) : null
  const { amountUnit } = env()
  return readForDecision('payments.search', filter, scope, (read) => filter && sumSpentInPage(read, filter, payment, amountUnit))
}

/** Returns the warnings of a release. Reads the other payments again, because some may have been released since the page was loaded. */
const findReleaseWarnings: FindPaymentWarnings = async (kind, payment, scope) => {
  const now = Date.now()
  const paykeyId = payment.paykey_details?.id
  const [paykey, customer, account, spent, recent] = await Promise.all([
    readPaykey(payment, scope),
    readForDecision('customers.get', toIdInput(payment.customer_details?.id), scope),
    readForDecision('accounts.get', toIdInput(scope.accountId), scope),
    readSpentByOthers(kind, payment, scope),
    readForDecision('payments.search', paykeyId ? toRecentFilter(kind, paykeyId, now) : null, scope),
  ])
  const facts = { kind, payment, paykey, customer, account, spent, recent, now, unit: env().amountUnit }
  return listReleaseWarnings(createPaymentChecks({ ...facts, readAt: new Date(now).toISOString() }))
}

const warningFinders = {
  release: findReleaseWarnings,
  resubmit: async (_, payment, scope) => listResubmitWarnings(payment, await readPaykey(payment, scope)),
  refund: async (_, payment) => listRefundWarnings(payment, Date.now()),
} as const satisfies Record<string, FindPaymentWarnings>

async function readPayment(kind: PaymentKind, newAction: NewAction): Promise<Payment> {
  const { data } = await readService(`${resourceByKind[kind]}.get`, { id: getTargetId(newAction) }, newAction.scope).catch(
    throwNotSent(`The ${kind}`),
  )
  return data
}

/**
 * Returns the warnings to confirm for a write that moves money. None if the payment's status no longer permits the write, because the
 * service refuses it then. An unknown status does not count as such. Throws read errors.
 */
const findPaymentWarnings =
  (kind: PaymentKind, verb: keyof typeof warningFinders): FindWarnings =>
  async (newAction, read) => {
    const payment = (read as Payment | null) ?? (await readPayment(kind, newAction))
    const hasWrongState = isKnownStatus('payment', payment.status) && !allowedStates[verb].includes(payment.status)
    return hasWrongState ? [] : warningFinders[verb](kind, payment, newAction.scope)
  }

registerOperation('payouts.release', { before: createWarningsPrecondition(findPaymentWarnings('payout', 'release')) })
registerOperation('charges.release', { before: createWarningsPrecondition(findPaymentWarnings('charge', 'release')) })
registerOperation('payouts.resubmit', { before: createWarningsPrecondition(findPaymentWarnings('payout', 'resubmit')) })
registerOperation('charges.resubmit', { before: createWarningsPrecondition(findPaymentWarnings('charge', 'resubmit')) })
registerOperation('charges.refund', { before: createWarningsPrecondition(findPaymentWarnings('charge', 'refund')) })
