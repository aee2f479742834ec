import { requireMove } from '@/sandbox/machine'
import { type Call, objectOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import { announcePaykey } from './announce-paykey'
import { findPaykey, recordPaykey } from './find-paykey'
import { paykeyMachine } from './paykey-machine'
import { type Paykey, paykeySchema } from './paykey-schema'
import type { PaykeyEntry } from './paykey-store'
import { isBalancePlanned, planBalance } from './read-balance'
import { isVerificationPlanned, planVerification } from './verify-paykey'

/** Saves a paykey that a refresh was asked for, with what it changed at once. */
function saveAsked(call: Call<unknown, unknown>, entry: PaykeyEntry, doc: Paykey): void {
  const changed = { ...entry, doc: { ...doc, updated_at: iso(call.now) } }
  call.sandbox.paykeys.save(changed)
  announcePaykey(call.sandbox, changed, call.now)
  recordPaykey(call, changed, doc.status)
}

/** `PUT /v1/paykeys/{id}/refresh_review`: verified again on the clock; asking again meanwhile changes nothing. */
export const refreshReview = objectOperation({
  id: 'paykeys.refresh_review',
  method: 'PUT',
  path: '/v1/paykeys/:id/refresh_review',
  summary: 'Re-verify a paykey in the background',
  account: 'optional',
  status: 202,
  output: paykeySchema,
  handle: (call) => {
    const entry = findPaykey(call)
    requireMove(paykeyMachine, 'refresh_review', entry.doc.status)
    if (!isVerificationPlanned(call.sandbox, entry.n)) {
      planVerification(call.sandbox, entry.n, call.now)
      saveAsked(call, entry, entry.doc)
    }
    return entry.doc
  },
})

/** `PUT /v1/paykeys/{id}/refresh_balance`: read on the clock; the answer is the paykey before it. Asking again meanwhile changes nothing. */
export const refreshBalance = objectOperation({
  id: 'paykeys.refresh_balance',
  method: 'PUT',
  path: '/v1/paykeys/:id/refresh_balance',
  summary: 'Refresh the balance of a paykey in the background',
  account: 'optional',
  status: 202,
  output: paykeySchema,
  handle: (call) => {
    const entry = findPaykey(call)
    requireMove(paykeyMachine, 'refresh_balance', entry.doc.status)
    if (!isBalancePlanned(call.sandbox, entry.n)) {
      planBalance(call.sandbox, entry.n, call.now)
      saveAsked(call, entry, { ...entry.doc, balance: { ...entry.doc.balance, status: 'pending' } })
    }
    return entry.doc
  },
})
