import { z } from 'zod'
import { unprocessable } from '@/sandbox/http/problem'
import { word } from '@/sandbox/http/read-body'
import { judge, requireMove } from '@/sandbox/machine'
import { type Call, objectOperation } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { announcePaykey, blockingCodeOf, findPaykey, movePaykey, recordPaykey } from './move-paykey'
import { blockCauses } from './paykey-causes'
import { type Paykey, paykeySchema } from './paykey-schema'
import { type BlockingCode, bankAccountOf, type PaykeyEntry, paykeyMachine } from './paykey-store'
import { isBalancePlanned, planBalance } from './read-balance'
import { isVerificationPlanned, planVerification, stopVerification } from './verify-paykey'

/** The provider documents no limit for this text; 500 characters is the sandbox's choice, as on payments. */
const words = z.string('must be a string').max(500, 'must be at most 500 characters').nullish()

/** `PUT /v1/paykeys/{id}/cancel`: makes a paykey permanently inactive. */
export const cancelPaykey = objectOperation({
  id: 'paykeys.cancel',
  method: 'PUT',
  path: '/v1/paykeys/:id/cancel',
  summary: 'Permanently cancel a paykey',
  account: 'optional',
  input: z.strictObject({ reason: words }),
  output: paykeySchema,
  handle: (call) => {
    const entry = findPaykey(call)
    const from = entry.doc.status
    requireMove(paykeyMachine, 'cancel', from)
    movePaykey(call.sandbox, entry, 'cancel', call.now, call.input.reason ? { message: call.input.reason } : {})
    recordPaykey(call, entry, from)
    return entry.doc
  },
})

/** `PATCH /v1/paykeys/{id}/review`: a manual decision. It ends a running verification; payments that wait for it continue or fail. */
export const decidePaykey = objectOperation({
  id: 'paykeys.decide',
  method: 'PATCH',
  path: '/v1/paykeys/:id/review',
  summary: 'Decide a paykey that is in review',
  account: 'optional',
  input: z.strictObject({ status: word(['active', 'rejected']) }),
  output: paykeySchema,
  handle: (call) => {
    const entry = findPaykey(call)
    const from = entry.doc.status
    const move = call.input.status === 'active' ? 'approve' : 'reject'
    requireMove(paykeyMachine, move, from)
    stopVerification(call.sandbox, entry.n)
    movePaykey(call.sandbox, entry, move, call.now)
    recordPaykey(call, entry, from)
    return entry.doc
  },
})

/** Throws a 422 unless only R29 blocks the paykey, for the first time. A permanent block of its bank account counts too. */
function requireEligible(sandbox: Sandbox, entry: PaykeyEntry): void {
  if (entry.secret.unblocked) throw unprocessable('This paykey was unblocked before; a paykey can be unblocked only once.')
  const code = blockingCodeOf(sandbox, entry)
  if (code !== 'R29') throw unprocessable(`A paykey blocked after a return with code ${code} cannot be unblocked; only R29 can.`)
}

/** `PATCH /v1/paykeys/{id}/unblock`: after R29, once per paykey. */
export const unblockPaykey = objectOperation({
  id: 'paykeys.unblock',
  method: 'PATCH',
  path: '/v1/paykeys/:id/unblock',
  summary: 'Unblock a paykey that was blocked by R29',
  account: 'optional',
  input: z.strictObject({ message: words }),
  output: paykeySchema,
  handle: (call) => {
    const entry = findPaykey(call)
    const from = entry.doc.status
    requireMove(paykeyMachine, 'unblock', from)
    requireEligible(call.sandbox, entry)
    entry.secret.unblocked = true
    movePaykey(call.sandbox, entry, 'unblock', call.now, call.input.message ? { message: call.input.message } : {})
    recordPaykey(call, entry, from)
    return entry.doc
  },
})

/**
 * Blocks every usable paykey on a paykey's bank account, across customers and accounts, and closes the bank account to new ones
 * (provider-facts 3.3). After R29 a paykey can be unblocked once. R02 and R05 are permanent, also for paykeys that R29 blocked before. Must
 * run inside the change's transaction.
 */
export function blockPaykeysOf(sandbox: Sandbox, paykeyNumber: number, code: BlockingCode, at: number): void {
  const returned = sandbox.paykeys.at(paykeyNumber)
  if (!returned) return
  const bankAccount = bankAccountOf(returned)
  sandbox.paykeys.rememberBlock(bankAccount, code, at)
  for (const entry of sandbox.paykeys.on(bankAccount)) {
    const { status, status_details } = entry.doc
    const closes = code !== 'R29' && status_details.code === 'R29'
    if (judge(paykeyMachine, 'block', status) === 'moves') movePaykey(sandbox, entry, 'block', at, blockCauses[code])
    else if (closes && judge(paykeyMachine, 'close', status) === 'moves') movePaykey(sandbox, entry, 'close', at, blockCauses[code])
  }
}

/** Removes the names from a paykey's verification: a deletion must remove all personal data. */
function forgetNames({ paykeys: { evidence } }: Sandbox, paykeyId: string): void {
  const found = evidence.get(paykeyId)
  const { name_match } = found?.doc.verification.breakdown ?? {}
  if (!found || !name_match) return
  Object.assign(name_match, { names_on_account: [], matched_name: null, customer_name: '' })
  evidence.save(found)
}

/**
 * Permanently cancels every paykey of a deleted customer and removes the names from their verifications. Must run inside the change's
 * transaction.
 */
export function cancelPaykeysOf(sandbox: Sandbox, customerId: string, now: number): void {
  for (const entry of sandbox.paykeys.find({ column: 'customer_id', is: customerId })) {
    if (judge(paykeyMachine, 'cancel', entry.doc.status) === 'moves') {
      movePaykey(sandbox, entry, 'cancel', now, { message: 'The customer was deleted' })
    }
    forgetNames(sandbox, entry.doc.id)
  }
}

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
