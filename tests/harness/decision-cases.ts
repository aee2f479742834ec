import { randomUUID } from 'node:crypto'
import { buildCustomerBody, type CreatedObject, createObjectViaDesk, makePaykey } from './objects'
import { createIdempotencyKey, goodReason, type Person } from './person'
import type { WholeDesk } from './whole-desk'

/** A running Paydesk with an admin who decides in one account. `account` has the form `acct_…`. */
export type DecisionDesk = { testStack: WholeDesk; admin: Person; account: string }

/**
 * A decision to test. `of` creates its target and returns the id. `method`, `verb` and `body` form
 * the request. `names` are the warnings that the request must acknowledge. `says` is part of the
 * error text if it does not.
 */
export type DecisionCase = {
  of: (desk: DecisionDesk) => Promise<string>
  method: string
  verb: string
  body?: object
  names: string[]
  says: string
}

/**
 * Creates a paykey in review: the account holder's name at the bank and the customer's name match
 * only in part. Returns its id.
 */
async function createPaykeyInReview({ admin, account }: DecisionDesk): Promise<string> {
  const { made: owner } = await createObjectViaDesk(
    admin,
    `/customers?account=${account}`,
    buildCustomerBody(),
  )
  const plaidPaykeyBody = {
    customer_id: owner.id,
    plaid_token: `processor-${randomUUID()}`,
    config: { sandbox_outcome: 'review' },
  }
  return (await createObjectViaDesk(admin, `/bridge/plaid?account=${account}`, plaidPaykeyBody))
    .made.id
}
const createActivePaykey = async ({ admin, account }: DecisionDesk) =>
  (await makePaykey(admin, account)).paykey.id

type CustomerReview = { identity_details: { watch_list: { matched: string[] } } }

/**
 * Creates a customer in review, with a watch list match only if `isOnWatchList`. The sandbox
 * decides at random, so this creates customers until one fits. Returns its id.
 */
export async function createCustomerInReview(
  { admin, account }: DecisionDesk,
  isOnWatchList = false,
): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { id } = (
      await createObjectViaDesk(admin, `/customers?account=${account}`, buildCustomerBody('review'))
    ).made
    const { body } = await admin.get<CustomerReview>(
      `/api/sandbox/v1/customers/${id}/review?account=${account}`,
    )
    if ((body.data?.identity_details.watch_list.matched.length ?? 0) > 0 === isOnWatchList)
      return id
  }
  throw new Error('no verification found it')
}

async function createBlockedPaykey({ testStack, admin, account }: DecisionDesk): Promise<string> {
  const payout = await testStack.sandbox.makePayout({
    account_id: account.slice(5),
    status: 'cancelled',
    paykey_status: 'blocked',
  })
  const { body } = await admin.get<{ paykey_details: CreatedObject }>(
    `/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`,
  )
  return body.data?.paykey_details.id ?? ''
}

export const decisionCases: Record<string, DecisionCase> = {
  'an approval of a paykey': {
    of: createPaykeyInReview,
    ...{ method: 'PATCH', verb: 'paykeys.review', body: { status: 'active' } },
    names: ['approve_names:warn'],
    says: 'The names do not clearly match.',
  },
  'a rejection of a paykey': {
    of: createPaykeyInReview,
    ...{ method: 'PATCH', verb: 'paykeys.review', body: { status: 'rejected' } },
    names: ['reject_paykey'],
    says: 'A rejection is final: this paykey cannot be reactivated.',
  },
  'an unblock of a paykey': {
    of: createBlockedPaykey,
    ...{ method: 'PATCH', verb: 'paykeys.unblock' },
    names: ['unblock_cause', 'unblock_bank'],
    says: 'The cause of the return is understood.',
  },
  'a cancellation of a paykey': {
    of: createActivePaykey,
    ...{ method: 'PUT', verb: 'paykeys.cancel', body: { reason: goodReason } },
    names: ['cancel_paykey'],
    says: 'A cancellation is final',
  },
  'a verification of a customer': {
    of: createCustomerInReview,
    ...{ method: 'PATCH', verb: 'customers.review', body: { status: 'verified' } },
    names: ['verify_modules'],
    says: 'I reviewed every check that did not pass.',
  },
  'a rejection of a customer': {
    of: createCustomerInReview,
    ...{ method: 'PATCH', verb: 'customers.review', body: { status: 'rejected' } },
    names: ['reject_innocent', 'reject_neutral'],
    says: 'I considered an innocent explanation',
  },
}

export function sendDecision(
  { admin, account }: DecisionDesk,
  { method, verb, body }: Pick<DecisionCase, 'method' | 'verb' | 'body'>,
  id: string,
  warnings: readonly string[],
  key = createIdempotencyKey(),
) {
  const [resource, verbName] = verb.split('.')
  const headers = { 'action-warnings': warnings.join(',') }
  return admin.write(method, `/${resource}/${id}/${verbName}?account=${account}`, body ?? {}, {
    key,
    reason: goodReason,
    headers,
  })
}
