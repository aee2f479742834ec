import type { z } from 'zod'
import { notFound } from '@/sandbox/http/problem'
import type { Payment, StatusChange } from '@/sandbox/payments/payment'
import type { Sandbox } from '@/sandbox/sandbox'
import { makePaykey, makeToken, paykeyStates, type SeededPaykey } from '@/sandbox/seed/seed-people'
import { iso, paymentDateOf } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/new-id'
import { Random } from '@/sandbox/store/random'
import type { payoutBody } from './control-schemas'

type Wish = z.infer<typeof payoutBody>

/** The customer the object is made for: the account's first. Throws the 404 when the account is unknown or has none. */
function customerOf({ accounts, store }: Sandbox, accountId: string | undefined): { n: number; account: number } {
  const account = accountId === undefined ? 1 : accounts.numberOf(accountId.toLowerCase())
  if (account === undefined) throw notFound('account')
  const found = store.get<{ n: number }>('SELECT n FROM customers WHERE account = ? ORDER BY n LIMIT 1', account)
  if (!found) throw notFound('customer in this account')
  return { n: found.n, account }
}

function ownPaykey(sandbox: Sandbox, customer: { n: number; account: number }, status: Wish['paykey_status'], now: number): SeededPaykey {
  const id = newId(now)
  const random = new Random(Number.parseInt(id.slice(-8), 16))
  const n = sandbox.paykeys.nextNumber()
  const owner = sandbox.customers.at(customer.n)?.customer.id ?? ''
  const state = paykeyStates[status]
  const doc = makePaykey(random, owner, { id, at: now, index: n, balanceAt: now }, state)
  sandbox.paykeys.insert(n, customer.account, customer.n, makeToken(random), doc)
  return { n, account: customer.account, customer: customer.n, status: state.status, code: state.code }
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

/** Makes one payout in the state wished for, on a paykey of its own. Must run in a transaction. */
export function makePayout(sandbox: Sandbox, wish: Wish, now: number): Payment {
  const customer = customerOf(sandbox, wish.account_id)
  const paykey = ownPaykey(sandbox, customer, wish.paykey_status, now)
  const id = newId(now)
  const settled = wish.status === 'paid' || wish.status === 'reversed'
  return sandbox.payments.insert({
    id,
    type: 'payout',
    ...{ account: paykey.account, customer: paykey.customer, paykey: paykey.n, amount: wish.amount },
    payment_date: paymentDateOf(now),
    ...{ created_at: now, updated_at: now },
    processed_at: settled || wish.status === 'pending' ? now : null,
    effective_at: settled ? now : null,
    external_id: `made-${id}`,
    description: 'Payout made for a test',
    ...{ funding: null, next_move_at: null },
    ...{ is_refund: false, has_refund: false, is_resubmit: false, has_resubmit: false },
    doc: {
      device: { ip_address: '**.**.**.**' },
      config: { sandbox_outcome: 'standard' },
      status_history: historyOf(wish, now),
      ...{ trace_ids: {}, related_payments: [], documents: [], metadata: {} },
    },
  })
}
