import type { z } from 'zod'
import { noteForFunding } from '@/sandbox/funding/fund-payment'
import { notFound } from '@/sandbox/http/problem'
import type { Payment, PaymentDoc, PaymentType, StatusChange } from '@/sandbox/payments/payment'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso, paymentDateOf } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/new-id'
import type { paymentBody } from './control-schemas'
import { makePaykey } from './make-paykey'

type Wish = z.infer<typeof paymentBody>

type Paying = { n: number; account: number; customer: number }
type Owner = { n: number; account: number }

/**
 * The customer the object is made for: the one wished for, or the account's first that is verified. Throws the 404 when the account or the
 * customer is unknown, or when there is none.
 */
function customerOf({ accounts, customers, store }: Sandbox, wish: Wish): Owner {
  const asked = wish.customer_id === undefined ? undefined : customers.get(wish.customer_id)
  if (asked?.account) return { n: asked.n, account: asked.account }
  const account = wish.account_id === undefined ? 1 : accounts.numberOf(wish.account_id.toLowerCase())
  if (account === undefined) throw notFound('account')
  const found =
    wish.customer_id === undefined &&
    store.get<{ n: number }>("SELECT n FROM customers WHERE account = ? AND doc ->> '$.status' = 'verified' ORDER BY n LIMIT 1", account)
  if (!found) throw notFound('customer in this account')
  return { n: found.n, account }
}

/** The paykey wished for, or a new one. Throws the 404 when the one wished for is unknown. */
function paykeyOf(sandbox: Sandbox, wish: Wish, now: number): Paying {
  if (wish.paykey_id === undefined) return ownPaykey(sandbox, customerOf(sandbox, wish), wish, now)
  const found = sandbox.paykeys.get(wish.paykey_id)
  const customer = found && sandbox.customers.numberOf(found.doc.customer_id)
  if (!found?.account || customer === undefined) throw notFound('paykey')
  return { n: found.n, account: found.account, customer }
}

function ownPaykey(sandbox: Sandbox, customer: Owner, { paykey_status, balance }: Wish, now: number): Paying {
  const { n } = makePaykey(sandbox, customer, { status: paykey_status, balance }, now)
  return { n, account: customer.account, customer: customer.n }
}

/** The history up to the status wished for; a held payout counts as held by a person unless the wish says otherwise. */
function historyOf(wish: Wish, now: number): [StatusChange, ...StatusChange[]] {
  const usual =
    wish.status === 'on_hold'
      ? ({ reason: 'user_request', source: 'user_action', message: 'Held on request' } as const)
      : ({ reason: 'ok', source: 'system', message: 'Made for a test' } as const)
  const state: StatusChange = {
    status: wish.status,
    reason: wish.reason ?? usual.reason,
    source: wish.source ?? usual.source,
    message: wish.message ?? usual.message,
    changed_at: iso(now),
    code: null,
  }
  if (wish.status === 'created') return [state]
  const created = { status: 'created', reason: 'ok', source: 'system', message: 'Payment created, waits for checks' } as const
  return [{ ...created, changed_at: iso(now), code: null }, state]
}

/** What only a charge says; a test that wants its balance looked at has to wish for it. */
const chargeParts = { balance_check: 'disabled', consent_type: 'internet' } as const

function docOf(type: PaymentType, wish: Wish, now: number): PaymentDoc {
  const { balance_check, consent_type } = chargeParts
  const config = { sandbox_outcome: wish.sandbox_outcome }
  return {
    device: { ip_address: '203.0.113.20' },
    config: type === 'charge' ? { ...config, balance_check: wish.balance_check ?? balance_check } : config,
    status_history: historyOf(wish, now),
    ...{ trace_ids: {}, related_payments: [], documents: [], metadata: {} },
    ...(type === 'charge' ? { consent_type } : {}),
  }
}

/**
 * Makes one charge or payout in the state wished for, on the paykey wished for or one of its own. The clock leaves it alone until a request
 * moves it. Must run in a transaction.
 */
export function makePayment(sandbox: Sandbox, type: PaymentType, wish: Wish, now: number): Payment {
  const paykey = paykeyOf(sandbox, wish, now)
  const id = newId(now)
  const settled = wish.status === 'paid' || wish.status === 'reversed'
  const made = sandbox.payments.insert({
    id,
    type,
    ...{ account: paykey.account, customer: paykey.customer, paykey: paykey.n, amount: wish.amount },
    payment_date: wish.payment_date ?? paymentDateOf(now),
    ...{ created_at: now, updated_at: now },
    processed_at: settled || wish.status === 'pending' ? now : null,
    effective_at: settled ? now : null,
    external_id: `made-${id}`,
    description: `${type === 'payout' ? 'Payout' : 'Charge'} made for a test`,
    funding: null,
    ...{ is_refund: false, has_refund: false, is_resubmit: false, has_resubmit: false },
    doc: docOf(type, wish, now),
  })
  if (wish.awaits_funding) noteForFunding(sandbox, made)
  return made
}
