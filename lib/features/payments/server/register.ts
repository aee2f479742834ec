import 'server-only'
import type { ReadResult } from '@/lib/domain/check'
import {
  type SpentSums,
  sumSpentInPage,
  toDuplicatesFilter,
  toMonthFilter,
} from '@/lib/domain/holds/limit-checks'
import { type Payment, type PaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { allowedStates } from '@/lib/domain/payment-rules'
import { isKnownStatus } from '@/lib/domain/status'
import { createPaymentChecks } from '@/lib/features/payments/checks'
import {
  listRefundWarnings,
  listReleaseWarnings,
  listResubmitWarnings,
} from '@/lib/features/payments/form'
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
import { findLimitAccountId } from '@/lib/server/mirror/object-accounts'
import { createNotSentHandler, readService } from '@/lib/server/service/service-read'

type FindPaymentWarnings = (
  kind: PaymentKind,
  payment: Payment,
  scope: ScopedAccount,
) => ReturnType<FindWarnings>

const toIdInput = (id: string | null | undefined) => (id ? { id } : null)
const readPaykey = ({ paykey_details: details }: Payment, scope: ScopedAccount) =>
  readForDecision('paykeys.get', toIdInput(details?.id), scope)

function readOtherPaymentSums(
  kind: PaymentKind,
  payment: Payment,
  scope: ScopedAccount,
): Promise<ReadResult<SpentSums | null>> {
  const monthFilter = payment.payment_date ? toMonthFilter(kind, payment.payment_date) : null
  const { amountUnit } = env()
  return readForDecision(
    'payments.search',
    monthFilter,
    scope,
    (read) => monthFilter && sumSpentInPage(read, monthFilter, payment, amountUnit),
  )
}

/** Reads all data again, because it may have changed since the page was loaded. */
const findReleaseWarnings: FindPaymentWarnings = async (kind, payment, scope) => {
  const now = Date.now()
  const paykeyId = payment.paykey_details?.id
  const [paykey, customer, account, spent, recent] = await Promise.all([
    readPaykey(payment, scope),
    readForDecision('customers.get', toIdInput(payment.customer_details?.id), scope),
    readForDecision('accounts.get', toIdInput(await findLimitAccountId(scope)), scope),
    readOtherPaymentSums(kind, payment, scope),
    readForDecision(
      'payments.search',
      paykeyId ? toDuplicatesFilter(kind, paykeyId, now) : null,
      scope,
    ),
  ])
  const paymentCheckFacts = {
    kind,
    payment,
    paykey,
    customer,
    account,
    spent,
    recent,
    now,
    unit: env().amountUnit,
  }
  return listReleaseWarnings(
    createPaymentChecks({ ...paymentCheckFacts, readAt: new Date(now).toISOString() }),
  )
}

const warningFinders = {
  release: findReleaseWarnings,
  resubmit: async (_, payment, scope) =>
    listResubmitWarnings(payment, await readPaykey(payment, scope)),
  refund: async (_, payment) => listRefundWarnings(payment, Date.now()),
} as const satisfies Record<string, FindPaymentWarnings>

async function readPayment(kind: PaymentKind, newAction: NewAction): Promise<Payment> {
  const { data } = await readService(
    `${resourceByKind[kind]}.get`,
    { id: getTargetId(newAction) },
    newAction.scope,
  ).catch(createNotSentHandler(`The ${kind}`))
  return data
}

/**
 * Finds no warnings if the payment's known status no longer permits the write, because the service
 * then refuses the write. Throws read errors.
 */
const findPaymentWarnings =
  (kind: PaymentKind, verb: keyof typeof warningFinders): FindWarnings =>
  async (newAction, read) => {
    const payment = (read as Payment | null) ?? (await readPayment(kind, newAction))
    const isStatusDisallowed =
      isKnownStatus('payment', payment.status) && !allowedStates[verb].includes(payment.status)
    return isStatusDisallowed ? [] : warningFinders[verb](kind, payment, newAction.scope)
  }

registerOperation('payouts.release', {
  before: createWarningsPrecondition(findPaymentWarnings('payout', 'release')),
})
registerOperation('charges.release', {
  before: createWarningsPrecondition(findPaymentWarnings('charge', 'release')),
})
registerOperation('payouts.resubmit', {
  before: createWarningsPrecondition(findPaymentWarnings('payout', 'resubmit')),
})
registerOperation('charges.resubmit', {
  before: createWarningsPrecondition(findPaymentWarnings('charge', 'resubmit')),
})
registerOperation('charges.refund', {
  before: createWarningsPrecondition(findPaymentWarnings('charge', 'refund')),
})
