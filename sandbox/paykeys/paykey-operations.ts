import { z } from 'zod'
import { requireSwitch } from '@/sandbox/accounts/configuration'
import { forbidden } from '@/sandbox/http/problem'
import { uuid } from '@/sandbox/http/read-body'
import { listOf, moment, pageOf, pageRequested, paging, yesNo } from '@/sandbox/http/read-query'
import { listOperation, type Operation, objectOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import type { Where } from '@/sandbox/store/doc-table'
import { cancelPaykey, decidePaykey, refreshBalance, refreshReview, unblockPaykey } from './change-paykeys'
import { findPaykey } from './move-paykey'
import {
  type Paykey,
  type PaykeySummary,
  paykeyReviewSchema,
  paykeySchema,
  paykeySources,
  paykeyStatuses,
  paykeySummarySchema,
  revealedPaykeySchema,
  unmaskedPaykeySchema,
} from './paykey-schema'
import type { PaykeyEntry } from './paykey-store'

const listQuery = z.strictObject({
  ...paging(['institution_name', 'expires_at', 'created_at']),
  customer_id: uuid.optional(),
  status: listOf(paykeyStatuses),
  source: listOf(paykeySources),
  unblock_eligible: yesNo.optional(),
  search_text: z.string().max(200, 'must be at most 200 characters').optional(),
  created_from: moment.optional(),
  created_to: moment.optional(),
})

const isoOrNothing = (at: number | undefined) => (at === undefined ? undefined : iso(at))

function conditionsOf(query: z.infer<typeof listQuery>): Where[] {
  return [
    { column: 'customer_id', is: query.customer_id?.toLowerCase() },
    { column: 'status', in: query.status },
    { column: 'source', in: query.source },
    // False selects permanently blocked paykeys: the column is null for all that are not blocked.
    { column: 'unblock_eligible', is: query.unblock_eligible === undefined ? undefined : Number(query.unblock_eligible) },
    { column: 'created_at', from: isoOrNothing(query.created_from), to: isoOrNothing(query.created_to) },
  ]
}

function summaryOf({ metadata: _metadata, balance: _balance, ...summary }: Paykey): PaykeySummary {
  return summary
}

/** `GET /v1/paykeys`; oldest first by default. */
export const listPaykeys = listOperation({
  id: 'paykeys.list',
  method: 'GET',
  path: '/v1/paykeys',
  summary: 'List paykeys, without metadata and balance',
  account: 'optional',
  query: listQuery,
  output: paykeySummarySchema,
  handle: ({ sandbox, query, account }) => {
    const requested = { ...pageRequested(query, 'created_at'), account, where: conditionsOf(query), search: query.search_text }
    const { total, entries } = sandbox.paykeys.page(requested)
    return pageOf(
      query,
      'created_at',
      total,
      entries.map(({ doc }) => summaryOf(doc)),
    )
  },
})

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

/** Paykey operations; paykeys are created through the bridge. */
export const paykeyOperations: readonly Operation[] = [
  listPaykeys,
  getPaykey,
  unmaskPaykey,
  revealPaykey,
  reviewPaykey,
  decidePaykey,
  refreshReview,
  refreshBalance,
  cancelPaykey,
  unblockPaykey,
]
