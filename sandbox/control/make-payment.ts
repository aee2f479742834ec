import type { z } from 'zod'
import { getOwnerNoun } from '@/sandbox/accounts/owner'
import { addFundingLine } from '@/sandbox/funding/make-funding-event'
import { makeNotFoundProblem } from '@/sandbox/http/problem'
import { recordPaykeyEvent } from '@/sandbox/paykeys/move-paykey'
import {
  buildPaykey,
  makeHolderNames,
  paykeyLifetimeMs,
  storePaykey,
} from '@/sandbox/paykeys/new-paykey'
import { paykeyStates } from '@/sandbox/paykeys/paykey-causes'
import {
  makePaykeyToken,
  type PaykeyConfig,
  type PaykeyStatus,
} from '@/sandbox/paykeys/paykey-schema'
import type { PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import { makeVerification } from '@/sandbox/paykeys/verify-paykey'
import type { Payment, PaymentDoc, StatusChange } from '@/sandbox/payments/payment'
import { recordPaymentEvent } from '@/sandbox/payments/payment-reads'
import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import { banks } from '@/sandbox/seed/names'
import { toIsoTime, toPaymentDate } from '@/sandbox/store/clock'
import { Random } from '@/sandbox/store/random'
import { newId } from '@/sandbox/store/store'
import type { paymentBodySchema } from './control-schemas'

/** `owner` is the row number of the customer's account; null for the platform. */
type CustomerRow = { n: number; owner: number | null }

/** `balance` is in cents: null if the bank returned none, undefined for a random one. */
type RequestedPaykeyFields = { status: PaykeyStatus; balance?: number | null | undefined }

const outcomeByPaykeyStatus: Partial<
  Readonly<Record<PaykeyStatus, PaykeyConfig['sandbox_outcome']>>
> = {
  review: 'review',
  rejected: 'rejected',
}

/**
 * Skips the checks of an API request. Each paykey gets its own bank account, because a block of a
 * bank account affects all paykeys on it. Must run in a transaction.
 */
function makePaykey(
  sandbox: Sandbox,
  customerRow: CustomerRow,
  requested: RequestedPaykeyFields,
  now: number,
): PaykeyEntry {
  const customer = sandbox.customers.at(customerRow.n)?.doc
  if (!customer) throw new RangeError(`no customer ${customerRow.n}`)
  const paykeyId = newId(now)
  const random = new Random(Number.parseInt(paykeyId.slice(-8), 16))
  const bankDetails = {
    routing_number: random.pick(banks).routing,
    account_number: random.digits(12),
    account_type: 'checking',
  } as const
  const account_balance =
    requested.balance === undefined ? random.int(1_000, 9_000_000) : requested.balance
  const config = { sandbox_outcome: 'standard', processing_method: 'inline' } as const
  const sandboxOutcome = outcomeByPaykeyStatus[requested.status] ?? 'standard'
  const names_on_account = makeHolderNames(customer, sandboxOutcome)
  const verificationSubject = {
    source: 'plaid',
    routing_number: bankDetails.routing_number,
    names_on_account,
    customer_name: customer.name,
  } as const
  const verificationInput = {
    id: newId(now),
    created: now,
    updated: now,
    config: { ...config, sandbox_outcome: sandboxOutcome },
  }
  const builtPaykey = buildPaykey({
    ...{
      id: paykeyId,
      token: makePaykeyToken(),
      customer_id: customer.id,
      source: 'plaid',
      bank: bankDetails,
      config,
      metadata: {},
      external_id: `made-${paykeyId}`,
    },
    ...paykeyStates[requested.status],
    balance: {
      status: account_balance === null ? 'failed' : 'completed',
      account_balance,
      updated_at: toIsoTime(now),
    },
    ...{ at: now, changed: now, expires: now + paykeyLifetimeMs },
  })
  const paykeyEntry = storePaykey(
    sandbox,
    customerRow.owner,
    builtPaykey,
    makeVerification(verificationSubject, verificationInput),
  )
  recordPaykeyEvent(sandbox, paykeyEntry, now, 'created')
  return paykeyEntry
}

type RequestedPayment = z.infer<typeof paymentBodySchema>

type PaymentParties = { n: number; account: number; customer: number }

/** Returns the requested account, or the first one. */
function findAccount({ accounts }: Sandbox, { account_id }: RequestedPayment): number {
  const accountRowNumber =
    account_id === undefined ? 1 : accounts.numberOf(account_id.toLowerCase())
  if (accountRowNumber === undefined) throw makeNotFoundProblem('account')
  return accountRowNumber
}

function findCustomer(sandbox: Sandbox, requested: RequestedPayment): CustomerRow {
  const { customers, integration, store } = sandbox
  const requestedCustomer =
    requested.customer_id === undefined ? undefined : customers.get(requested.customer_id)
  if (requestedCustomer) return { n: requestedCustomer.n, owner: requestedCustomer.account }
  const accountRowNumber = findAccount(sandbox, requested)
  const owner = integration === 'marketplace' ? null : accountRowNumber
  const firstVerifiedCustomer =
    requested.customer_id === undefined &&
    store.get<{ n: number }>(
      "SELECT n FROM customers WHERE account IS ? AND doc ->> '$.status' = 'verified' ORDER BY n LIMIT 1",
      owner,
    )
  if (!firstVerifiedCustomer) throw makeNotFoundProblem(`customer in this ${getOwnerNoun(owner)}`)
  return { n: firstVerifiedCustomer.n, owner }
}

function findOrMakePaykey(
  sandbox: Sandbox,
  requested: RequestedPayment,
  now: number,
): PaymentParties {
  if (requested.paykey_id === undefined)
    return makeCustomerPaykey(sandbox, findCustomer(sandbox, requested), requested, now)
  const requestedPaykey = sandbox.paykeys.get(requested.paykey_id)
  const customerRowNumber =
    requestedPaykey && sandbox.customers.numberOf(requestedPaykey.doc.customer_id)
  if (!requestedPaykey || customerRowNumber === undefined) throw makeNotFoundProblem('paykey')
  const account = requestedPaykey.account ?? findAccount(sandbox, requested)
  return { n: requestedPaykey.n, account, customer: customerRowNumber }
}

function makeCustomerPaykey(
  sandbox: Sandbox,
  customer: CustomerRow,
  requested: RequestedPayment,
  now: number,
): PaymentParties {
  const { paykey_status, balance } = requested
  const { n } = makePaykey(sandbox, customer, { status: paykey_status, balance }, now)
  const account = customer.owner ?? findAccount(sandbox, requested)
  return { n, account, customer: customer.n }
}

function makeStatusHistory(
  requested: RequestedPayment,
  now: number,
): [StatusChange, ...StatusChange[]] {
  const statusCause =
    requested.status === 'on_hold'
      ? ({
          reason: 'user_request',
          source: 'user_action',
          message: 'The platform asked for this hold',
        } as const)
      : ({ reason: 'ok', source: 'system', message: 'Made for a test' } as const)
  const statusChange: StatusChange = {
    status: requested.status,
    reason: requested.reason ?? statusCause.reason,
    source: requested.source ?? statusCause.source,
    message: requested.message ?? statusCause.message,
    changed_at: toIsoTime(now),
    code: null,
  }
  if (requested.status === 'created') return [statusChange]
  const createdStatusChange = {
    status: 'created',
    reason: 'ok',
    source: 'system',
    message: 'Payment created, waits for checks',
  } as const
  return [{ ...createdStatusChange, changed_at: toIsoTime(now), code: null }, statusChange]
}

const chargeDefaults = { balance_check: 'disabled', consent_type: 'internet' } as const

function makePaymentDoc(type: PaymentType, requested: RequestedPayment, now: number): PaymentDoc {
  const { balance_check, consent_type } = chargeDefaults
  const config = { sandbox_outcome: requested.sandbox_outcome }
  return {
    device: { ip_address: '203.0.113.20' },
    config:
      type === 'charge'
        ? { ...config, balance_check: requested.balance_check ?? balance_check }
        : config,
    status_history: makeStatusHistory(requested, now),
    ...{ trace_ids: {}, related_payments: [], documents: [], metadata: {} },
    ...(type === 'charge' ? { consent_type } : {}),
  }
}

/**
 * The payment stays in the requested state: its timers start only after an API request changes it.
 * Must run in a transaction.
 */
export function makePayment(
  sandbox: Sandbox,
  type: PaymentType,
  requested: RequestedPayment,
  now: number,
): Payment {
  const paykey = findOrMakePaykey(sandbox, requested, now)
  const paymentId = newId(now)
  const isSettled = requested.status === 'paid' || requested.status === 'reversed'
  const payment = sandbox.payments.insert({
    id: paymentId,
    type,
    ...{
      account: paykey.account,
      customer: paykey.customer,
      paykey: paykey.n,
      amount: requested.amount,
    },
    payment_date: requested.payment_date ?? toPaymentDate(now),
    ...{ created_at: now, updated_at: now },
    processed_at: isSettled || requested.status === 'pending' ? now : null,
    effective_at: isSettled ? now : null,
    external_id: `made-${paymentId}`,
    description: `${type === 'payout' ? 'Payout' : 'Charge'} made for a test`,
    funding: null,
    ...{ is_refund: false, has_refund: false, is_resubmit: false, has_resubmit: false },
    doc: makePaymentDoc(type, requested, now),
  })
  if (requested.awaits_funding) addFundingLine(sandbox, payment)
  if (requested.announced) recordPaymentEvent(sandbox, payment, now, 'created')
  return payment
}
