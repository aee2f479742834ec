import { buildChargeBody, buildPayoutBody } from '@/tests/sandbox/own-paykey'
import { toPaymentDate } from '@/tests/sandbox/test-time'
import type { PaykeyRequest } from './payment-paykey'

/** Input for the payment of a sequence. `paykey` is the status of its paykey at the start. */
export type PaymentStart = {
  type: 'charge' | 'payout'
  outcome: string
  balanceCheck: 'disabled' | 'enabled' | 'required'
  autoHold: boolean
  paykey: 'active' | 'review'
}

/** Steps of a sequence: API requests, changes of the paykey, or seconds to wait. */
export type PaymentStep =
  | 'hold'
  | 'release'
  | 'cancel'
  | 'update'
  | 'resubmit'
  | 'refund'
  | 'upload'
  | 'repeat'
  | PaykeyRequest
  | 'refresh_paykey'
  | number

export const isRequestedMove = (
  move: string,
): move is 'hold' | 'release' | 'cancel' | 'update' | 'resubmit' | 'refund' =>
  ['hold', 'release', 'cancel', 'update', 'resubmit', 'refund'].includes(move)

/** Returns the body of the request that creates the payment at `now`, in milliseconds. */
export function buildCreationBody(
  { type, outcome, balanceCheck, autoHold }: PaymentStart,
  paykeyToken: string,
  now: number,
): Record<string, unknown> {
  const config = {
    sandbox_outcome: outcome,
    auto_hold: autoHold,
    ...(type === 'charge' ? { balance_check: balanceCheck } : {}),
  }
  const buildBody = type === 'charge' ? buildChargeBody : buildPayoutBody
  return buildBody(paykeyToken, { payment_date: toPaymentDate(now), amount: 100, config })
}
