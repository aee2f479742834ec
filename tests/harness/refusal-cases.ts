import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createIdempotencyKey, goodReason, type Person } from './person'
import type { WholeDesk } from './whole-desk'

/**
 * A running Paydesk with a viewer, and a person who is operator only in `ownAccountId`.
 * `openAction` is the payout and the action of a release whose outcome is unknown.
 */
export type RefusalDesk = {
  testStack: WholeDesk
  viewer: Person
  limitedPerson: Person
  ownAccountId: string
  foreignAccountId: string
  openAction: { id: string; action: string }
}

const toJsonInit = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const crossSiteHeaders = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
const apiPrefix = '/api/sandbox'

/**
 * What is refused, a function that sends the request, the status of the response, and the expected
 * audit row. A function in the row returns the expected value of its field.
 */
type RefusalCase = [
  what: string,
  ask: (desk: RefusalDesk) => Promise<Response>,
  status: number,
  row: Record<string, unknown>,
]

const savedView = { list: 'payments', name: 'Canary name', search: 'search_text=canary' }
const sendRelease = (
  person: Person,
  { openAction, ownAccountId }: RefusalDesk,
  headers: Record<string, string> = {},
) =>
  person.send(`${apiPrefix}/v1/payouts/${openAction.id}/release?account=acct_${ownAccountId}`, {
    ...toJsonInit(
      { reason: goodReason },
      { 'idempotency-key': createIdempotencyKey(), ...headers },
    ),
    method: 'PUT',
  })
const outcomeDecision = {
  outcome: 'refused',
  evidence: 'The statement of the bank shows no such payout.',
}
const buildDeletionRequest = ({ ownAccountId }: RefusalDesk) => ({
  id: randomUUID(),
  account: `acct_${ownAccountId}`,
  customer_id: randomUUID(),
  asker: 'DATA_SUBJECT_REQUEST',
  basis: 'GDPR_17_1_B',
  identity_check: 'SIGNED_IN',
})

const getOwnAccount = ({ ownAccountId }: RefusalDesk) => ownAccountId
const getForeignAccount = ({ foreignAccountId }: RefusalDesk) => foreignAccountId
const getOpenActionTarget = ({ openAction }: RefusalDesk) => `payouts/${openAction.id}`

export const refusalCases: RefusalCase[] = [
  [
    'an export of a viewer',
    ({ viewer }) => viewer.send(`${apiPrefix}/desk/exports/payments?payment_type=payout`),
    403,
    { code: 'payments.export.denied' },
  ],
  [
    'the request log read by a viewer',
    ({ viewer }) => viewer.send(`${apiPrefix}/desk/requests`),
    403,
    { code: 'requests.list.denied' },
  ],
  [
    'a check of the connection by an operator',
    ({ testStack }) =>
      testStack.operator.send(`${apiPrefix}/desk/service-check`, { method: 'POST' }),
    403,
    { code: 'service.check.denied' },
  ],
  [
    'a check of the connection from another site',
    ({ testStack }) =>
      testStack.operator.send(`${apiPrefix}/desk/service-check`, {
        method: 'POST',
        headers: crossSiteHeaders,
      }),
    403,
    { code: 'service.check.other_site' },
  ],
  [
    'a view shared by a viewer',
    ({ viewer }) =>
      viewer.send(`${apiPrefix}/desk/views`, toJsonInit({ ...savedView, shared: true })),
    403,
    { code: 'views.create.denied' },
  ],
  [
    'a decision of a viewer',
    ({ viewer, openAction }) =>
      viewer.send(
        `/api/sandbox/desk/actions/${openAction.action}/decision`,
        toJsonInit(outcomeDecision),
      ),
    403,
    {
      code: 'payouts.release.denied',
      account: getOwnAccount,
      target: getOpenActionTarget,
    },
  ],
  [
    'a check of a viewer',
    ({ viewer, openAction }) =>
      viewer.send(`/api/sandbox/desk/actions/${openAction.action}`, { method: 'POST' }),
    403,
    {
      code: 'payouts.release.denied',
      account: getOwnAccount,
      target: getOpenActionTarget,
    },
  ],
  [
    'a release of a viewer',
    (desk) => sendRelease(desk.viewer, desk),
    403,
    {
      code: 'payouts.release.denied',
      account: getOwnAccount,
      target: getOpenActionTarget,
    },
  ],
  [
    'the account of somebody else',
    ({ limitedPerson, foreignAccountId }) =>
      limitedPerson.send(`${apiPrefix}/v1/payments?account=acct_${foreignAccountId}`),
    403,
    { code: 'payments.search.denied', account: getForeignAccount },
  ],
  [
    'the limits of another account',
    ({ limitedPerson, foreignAccountId }) =>
      limitedPerson.send(`${apiPrefix}/desk/limit-requests?account=acct_${foreignAccountId}`),
    403,
    { code: 'limit_requests.list.denied', account: getForeignAccount },
  ],
  [
    'a search in another account',
    ({ limitedPerson, foreignAccountId }) =>
      limitedPerson.send(`${apiPrefix}/desk/find?account=acct_${foreignAccountId}`, {
        headers: { 'find-text': 'canary%40example.com' },
      }),
    403,
    { code: 'customers.by_email.denied', account: getForeignAccount },
  ],
  [
    'an export of the whole platform',
    ({ limitedPerson }) =>
      limitedPerson.send(`${apiPrefix}/desk/exports/payments?payment_type=payout`),
    403,
    { code: 'payments.search.denied' },
  ],
  [
    'a deletion asked for by a viewer',
    (desk) =>
      desk.viewer.send('/api/sandbox/desk/deletions', toJsonInit(buildDeletionRequest(desk))),
    403,
    {
      code: 'deletions.request.denied',
      account: getOwnAccount,
      target: expect.stringMatching(/^customers\//),
    },
  ],
  [
    'a release from another site',
    (desk) => sendRelease(desk.testStack.operator, desk, crossSiteHeaders),
    403,
    { code: 'payouts.release.other_site' },
  ],
  [
    'a reveal from another site',
    ({ testStack, openAction }) =>
      testStack.operator.send(`${apiPrefix}/v1/customers/${openAction.id}/unmasked`, {
        headers: crossSiteHeaders,
      }),
    403,
    { code: 'customers.unmask.other_site' },
  ],
  [
    'an export from another site',
    ({ testStack }) =>
      testStack.operator.send(`${apiPrefix}/desk/exports/payments`, { headers: crossSiteHeaders }),
    403,
    { code: 'payments.export.other_site' },
  ],
  [
    'a view from another site',
    ({ testStack }) =>
      testStack.operator.send(`${apiPrefix}/desk/views`, toJsonInit(savedView, crossSiteHeaders)),
    403,
    { code: 'views.create.other_site' },
  ],
  [
    'a deletion from another site',
    (desk) =>
      desk.testStack.operator.send(
        '/api/sandbox/desk/deletions',
        toJsonInit(buildDeletionRequest(desk), crossSiteHeaders),
      ),
    403,
    { code: 'deletions.request.other_site' },
  ],
  [
    'a check from another site',
    ({ testStack, openAction }) =>
      testStack.operator.send(`/api/sandbox/desk/actions/${openAction.action}`, {
        method: 'POST',
        headers: crossSiteHeaders,
      }),
    403,
    { code: 'actions.check.other_site' },
  ],
]
