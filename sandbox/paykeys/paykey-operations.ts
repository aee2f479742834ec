import { z } from 'zod'
import { requireConfigFlag } from '@/sandbox/accounts/configuration'
import { getOwnerId } from '@/sandbox/accounts/owner'
import { makeForbiddenProblem } from '@/sandbox/http/problem'
import { makeEnumSchema, uuidSchema } from '@/sandbox/http/read-body'
import {
  booleanParameter,
  dateTimeParameter,
  makeEnumListSchema,
  makePagingParameters,
  searchTextParameter,
} from '@/sandbox/http/read-query'
import { requireMove } from '@/sandbox/machine'
import type { Operation } from '@/sandbox/operation'
import { defineTableResource } from '@/sandbox/resource'
import { type TimerSpec, toIsoTime, toIsoTimeOrUndefined } from '@/sandbox/store/clock'
import { movePaykey, recordPaykeyEvent, requireUnblockable, revealPaykey } from './move-paykey'
import {
  type Paykey,
  paykeyReviewSchema,
  paykeySchema,
  paykeySources,
  paykeyStatuses,
  paykeySummarySchema,
  revealedPaykeySchema,
  unmaskedPaykeySchema,
} from './paykey-schema'
import { paykeyMachine } from './paykey-store'
import { balanceTimer } from './read-balance'
import { verificationTimer } from './verify-paykey'

const paykeyListQuerySchema = z.strictObject({
  ...makePagingParameters(['institution_name', 'expires_at', 'created_at']),
  customer_id: uuidSchema.optional(),
  status: makeEnumListSchema(paykeyStatuses),
  source: makeEnumListSchema(paykeySources),
  unblock_eligible: booleanParameter.optional(),
  search_text: searchTextParameter,
  created_from: dateTimeParameter.optional(),
  created_to: dateTimeParameter.optional(),
})

const paykeyResource = defineTableResource({
  name: 'paykeys',
  account: { saas: 'optional', marketplace: 'forbidden' },
  output: paykeySchema,
  noun: 'paykey',
  table: ({ paykeys }) => paykeys,
  owner: ({ account }, sandbox) => getOwnerId(sandbox, account),
})

/** The provider documents no maximum length. The sandbox allows 500, as for payments. */
const messageSchema = z
  .string('must be a string')
  .max(500, 'must be at most 500 characters')
  .nullish()

const toCauseWithMessage = (message: string | null | undefined) => (message ? { message } : {})

/**
 * Defines a refresh of a verification or balance. The response contains the paykey as it was before
 * the request. If `timer` already runs for the paykey, the request changes nothing.
 */
const makeRefreshOperation = (
  verb: 'refresh_review' | 'refresh_balance',
  summary: string,
  timer: TimerSpec,
  getChanges: (doc: Paykey) => Partial<Paykey>,
) =>
  paykeyResource.operation(
    { verb, method: 'PUT', summary, status: 202, output: paykeySchema },
    (entry, { sandbox, now, effect }) => {
      const { n, doc } = entry
      requireMove(paykeyMachine, verb, doc.status)
      if (sandbox.timers.at(timer.kind, n) !== undefined) return doc
      sandbox.timers.start(timer, n, now)
      const changedEntry = {
        ...entry,
        doc: { ...doc, ...getChanges(doc), updated_at: toIsoTime(now) },
      }
      sandbox.paykeys.save(changedEntry)
      recordPaykeyEvent(sandbox, changedEntry, now)
      effect({ ...paykeyResource.journaled(changedEntry, sandbox), from: doc.status })
      return doc
    },
  )

/**
 * Operations on existing paykeys. The operations that create a paykey are in `bridgeOperations`.
 */
export const paykeyOperations: readonly Operation[] = [
  paykeyResource.list(
    {
      summary: 'List paykeys, without metadata and balance',
      query: paykeyListQuerySchema,
      output: paykeySummarySchema,
      sort: 'created_at',
    },
    (query) => [
      { column: 'customer_id', is: query.customer_id?.toLowerCase() },
      { column: 'status', in: query.status },
      { column: 'source', in: query.source },
      // `false` selects only blocked paykeys that cannot be unblocked. For a paykey that is not
      // blocked, the column is null, which neither value selects.
      {
        column: 'unblock_eligible',
        is: query.unblock_eligible === undefined ? undefined : Number(query.unblock_eligible),
      },
      {
        column: 'created_at',
        from: toIsoTimeOrUndefined(query.created_from),
        to: toIsoTimeOrUndefined(query.created_to),
      },
    ],
    ({ metadata: _metadata, balance: _balance, ...summary }) => summary,
  ),
  paykeyResource.get('Look up a paykey, its token masked'),
  paykeyResource.operation(
    {
      ...{ verb: 'unmasked', output: unmaskedPaykeySchema },
      summary: 'Look up a paykey with its full token and full account number',
    },
    (entry, { sandbox }) => {
      requireConfigFlag(sandbox, entry.account, 'allow_data_unmask')
      if (!sandbox.customers.get(entry.doc.customer_id)) {
        throw makeForbiddenProblem(
          'The customer of this paykey was deleted; nothing of it is unmasked any more.',
        )
      }
      const bank_data = { ...entry.doc.bank_data, account_number: entry.secret.account_number }
      return { ...revealPaykey(entry), bank_data }
    },
  ),
  paykeyResource.operation(
    {
      ...{ verb: 'reveal', output: revealedPaykeySchema },
      summary: 'Look up a paykey with its full token, the account number masked',
    },
    revealPaykey,
  ),
  paykeyResource.operation(
    {
      verb: 'review',
      summary: 'Look up a paykey and the evidence of its verification',
      output: paykeyReviewSchema,
    },
    ({ doc }, { sandbox }) => {
      const evidence = sandbox.paykeys.evidence.get(doc.id)
      if (!evidence) throw new RangeError(`paykey ${doc.id} has no evidence`)
      return { paykey_details: doc, verification_details: evidence.doc.verification }
    },
  ),
  // A decision cancels a scheduled verification, whose later result could override the decision.
  paykeyResource.change(
    {
      ...{
        verb: 'decide',
        method: 'PATCH',
        tail: '/review',
        summary: 'Decide a paykey that is in review',
      },
      input: z.strictObject({ status: makeEnumSchema(['active', 'rejected']) }),
    },
    (entry, { sandbox, input, now }) => {
      const decisionMove = input.status === 'active' ? 'approve' : 'reject'
      requireMove(paykeyMachine, decisionMove, entry.doc.status)
      sandbox.timers.clear(verificationTimer.kind, entry.n)
      return movePaykey(sandbox, entry, decisionMove, now)
    },
  ),
  makeRefreshOperation(
    'refresh_review',
    'Re-verify a paykey in the background',
    verificationTimer,
    () => ({}),
  ),
  makeRefreshOperation(
    'refresh_balance',
    'Refresh the balance of a paykey in the background',
    balanceTimer,
    ({ balance }) => ({
      balance: { ...balance, status: 'pending' },
    }),
  ),
  paykeyResource.change(
    {
      verb: 'cancel',
      method: 'PUT',
      summary: 'Permanently cancel a paykey',
      input: z.strictObject({ reason: messageSchema }),
    },
    (entry, { sandbox, input, now }) => {
      requireMove(paykeyMachine, 'cancel', entry.doc.status)
      return movePaykey(sandbox, entry, 'cancel', now, toCauseWithMessage(input.reason))
    },
  ),
  paykeyResource.change(
    {
      verb: 'unblock',
      method: 'PATCH',
      summary: 'Unblock a paykey that was blocked by R29',
      input: z.strictObject({ message: messageSchema }),
    },
    (entry, { sandbox, input, now }) => {
      requireMove(paykeyMachine, 'unblock', entry.doc.status)
      requireUnblockable(sandbox, entry)
      entry.secret.unblocked = true
      return movePaykey(sandbox, entry, 'unblock', now, toCauseWithMessage(input.message))
    },
  ),
]
