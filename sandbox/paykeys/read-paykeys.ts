import { requireSwitch } from '@/sandbox/accounts/configuration'
import { forbidden } from '@/sandbox/http/problem'
import { objectOperation } from '@/sandbox/operation'
import { findPaykey } from './find-paykey'
import { type Paykey, paykeyReviewSchema, paykeySchema, revealedPaykeySchema, unmaskedPaykeySchema } from './paykey-schema'
import type { PaykeyEntry } from './paykey-store'

/** Returns a paykey with its full token; the account number stays masked. */
export const revealed = ({ doc, secret }: PaykeyEntry): Paykey => ({ ...doc, paykey: secret.token })

/** `GET /v1/paykeys/{id}` */
export const getPaykey = objectOperation({
  id: 'paykeys.get',
  method: 'GET',
  path: '/v1/paykeys/:id',
  summary: 'Look up a paykey, its token masked',
  account: 'optional',
  output: paykeySchema,
  handle: (call) => findPaykey(call).doc,
})

/** `GET /v1/paykeys/{id}/reveal`: for a client that lost the token. */
export const revealPaykey = objectOperation({
  id: 'paykeys.reveal',
  method: 'GET',
  path: '/v1/paykeys/:id/reveal',
  summary: 'Look up a paykey with its full token, the account number masked',
  account: 'optional',
  output: revealedPaykeySchema,
  handle: (call) => revealed(findPaykey(call)),
})

/** `GET /v1/paykeys/{id}/unmasked`; 403 if the account's settings forbid it, or after the customer was deleted. */
export const unmaskPaykey = objectOperation({
  id: 'paykeys.unmasked',
  method: 'GET',
  path: '/v1/paykeys/:id/unmasked',
  summary: 'Look up a paykey with its full token and full account number',
  account: 'optional',
  output: unmaskedPaykeySchema,
  handle: (call) => {
    const entry = findPaykey(call)
    requireSwitch(call.sandbox, entry.account ?? 0, 'allow_data_unmask')
    if (!call.sandbox.customers.get(entry.doc.customer_id)) {
      throw forbidden('The customer of this paykey was deleted; nothing of it is unmasked any more.')
    }
    const bank_data = { ...entry.doc.bank_data, account_number: entry.secret.account_number }
    return { ...revealed(entry), bank_data }
  },
})

/** `GET /v1/paykeys/{id}/review`; works in every status. */
export const reviewPaykey = objectOperation({
  id: 'paykeys.review',
  method: 'GET',
  path: '/v1/paykeys/:id/review',
  summary: 'Look up a paykey and the evidence of its verification',
  account: 'optional',
  output: paykeyReviewSchema,
  handle: (call) => {
    const { doc } = findPaykey(call)
    const evidence = call.sandbox.paykeys.evidence.get(doc.id)
    if (!evidence) throw new RangeError(`paykey ${doc.id} has no evidence`)
    return { paykey_details: doc, verification_details: evidence.doc.verification }
  },
})
