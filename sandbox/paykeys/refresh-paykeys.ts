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

/** Saves a paykey after a refresh request, with its immediate changes, and writes its event and journal row. */
function saveAsked(call: Call<unknown, unknown>, entry: PaykeyEntry, doc: Paykey): void {
  const changed = { ...entry, doc: { ...doc, updated_at: iso(call.now) } }
  call.sandbox.paykeys.save(changed)
  announcePaykey(call.sandbox, changed, call.now)
  recordPaykey(call, changed, doc.status)
}

/** `PUT /v1/paykeys/{id}/refresh_review`: schedules a verification. No effect while one is scheduled. */
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

/** `PUT /v1/paykeys/{id}/refresh_balance`: schedules a balance read and returns the paykey before it. No effect while one is scheduled. */
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
