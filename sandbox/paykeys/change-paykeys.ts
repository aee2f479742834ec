import { z } from 'zod'
import { word } from '@/sandbox/http/fields'
import { unprocessable } from '@/sandbox/http/problem'
import { requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { findPaykey, recordPaykey } from './find-paykey'
import { blockingCodeOf, movePaykey } from './move-paykey'
import { paykeyMachine } from './paykey-machine'
import { paykeySchema } from './paykey-schema'
import type { PaykeyEntry } from './paykey-store'
import { stopVerification } from './verify-paykey'

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
