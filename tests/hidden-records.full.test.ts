import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SavedView } from '@/lib/operations/saved-view'
import { readComparableResponse } from './harness/comparable-response'
import { postJson } from './harness/deletions'
import { type DeskWithHiddenAccount, startDeskWithHiddenAccount } from './harness/hidden-desk'
import { openSharedDesk } from './harness/shared-desk'

/*
 * Rule under test: for a person without a role in an account, a response about Paydesk’s own records of that account is the same as for an
 * unknown id.
 */

let testStack: DeskWithHiddenAccount
beforeAll(async () => {
  testStack = await startDeskWithHiddenAccount(await openSharedDesk())
})
afterAll(() => testStack?.stop())

let payoutIdWithAction: string
let actionId: string
let deletionId: string

beforeAll(async () => {
  const payout = await testStack.sandbox.makePayout({ account_id: testStack.foreign })
  payoutIdWithAction = payout.id
  const releaseReply = await testStack.admin.decide('release', payout)
  actionId = releaseReply.body.action?.id ?? ''
  deletionId = randomUUID()
  expect(
    (
      await postJson(
        testStack.admin,
        '/api/sandbox/desk/deletions',
        buildDeletionRequest(
          deletionId,
          `acct_${testStack.foreign}`,
          testStack.theirs.customers ?? '',
        ),
      )
    ).status,
  ).toBe(201)
})

const buildDeletionRequest = (id: string, account: string, customerId: string) => ({
  ...{ id, account, customer_id: customerId, asker: 'DATA_SUBJECT_REQUEST', basis: 'GDPR_17_1_B' },
  ...{ identity_check: 'SIGNED_IN', ticket: 'PRIV-1', due_on: '2026-12-24' },
})
const toJsonInit = (method: string, body: unknown) => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})
const decision = {
  outcome: 'refused',
  evidence: 'The console of the provider shows no such payment.',
}

test.each<[string, (id: string) => [path: string, init?: RequestInit], () => string]>([
  ['an action', (id) => [`/api/sandbox/desk/actions/${id}`], () => actionId],
  [
    '"check again"',
    (id) => [`/api/sandbox/desk/actions/${id}`, { method: 'POST' }],
    () => actionId,
  ],
  [
    'a decision on an action',
    (id) => [`/api/sandbox/desk/actions/${id}/decision`, toJsonInit('POST', decision)],
    () => actionId,
  ],
  ['a trace', (id) => ['/api/sandbox/desk/find', { headers: { 'find-text': id } }], () => actionId],
  [
    'the actions of an object',
    (id) => [`/api/sandbox/desk/actions?target=payouts/${id}`],
    () => payoutIdWithAction,
  ],
  [
    'the deletions of a customer',
    (id) => [`/api/sandbox/desk/deletions?customer=${id}`],
    () => testStack.theirs.customers ?? '',
  ],
  [
    'a withdrawal',
    (id) => [`/api/sandbox/desk/deletions/${id}/withdraw`, toJsonInit('POST', {})],
    () => deletionId,
  ],
  ['a certificate', (id) => [`/api/sandbox/desk/deletions/${id}/certificate`], () => deletionId],
  [
    'a request for a deletion',
    (id) => [
      '/api/sandbox/desk/deletions',
      toJsonInit('POST', buildDeletionRequest(randomUUID(), `acct_${testStack.own}`, id)),
    ],
    () => testStack.theirs.customers ?? '',
  ],
  [
    'a request for a deletion there',
    (id) => [
      '/api/sandbox/desk/deletions',
      toJsonInit('POST', buildDeletionRequest(randomUUID(), `acct_${testStack.foreign}`, id)),
    ],
    () => testStack.theirs.customers ?? '',
  ],
  [
    'limit requests',
    (id) => [`/api/sandbox/desk/limit-requests?account=acct_${id}`],
    () => testStack.foreign,
  ],
  [
    'the use of limits',
    (id) => [`/api/sandbox/desk/limit-requests/use?account=acct_${id}`],
    () => testStack.foreign,
  ],
  [
    'an export',
    (id) => [`/api/sandbox/desk/exports/payments?account=acct_${id}`],
    () => testStack.foreign,
  ],
  [
    'the request log',
    (id) => [`/api/sandbox/desk/requests?account=acct_${id}`],
    () => testStack.foreign,
  ],
  [
    'the request log of an object',
    (id) => [`/api/sandbox/desk/requests?target=payouts/${id}`],
    () => payoutIdWithAction,
  ],
])('%s responds as if it did not exist', async (_, asked, idOf) => {
  const sendAsLimitedPerson = async (id: string) =>
    readComparableResponse(await testStack.limited.send(...asked(id)))
  expect(await sendAsLimitedPerson(idOf())).toEqual(await sendAsLimitedPerson(randomUUID()))
})

test.each([
  ['a payout', () => `/sandbox/payouts/${testStack.theirs.payouts}?account=acct_${testStack.own}`],
  [
    'a customer',
    () => `/sandbox/customers/${testStack.theirs.customers}?account=acct_${testStack.own}`,
  ],
  [
    'a change of a customer',
    () => `/sandbox/customers/${testStack.theirs.customers}/edit?account=acct_${testStack.own}`,
  ],
  [
    'a deletion',
    () => `/sandbox/customers/${testStack.theirs.customers}/delete?account=acct_${testStack.own}`,
  ],
  [
    'a bank account to connect',
    () => `/sandbox/connect?customer=${testStack.theirs.customers}&account=acct_${testStack.own}`,
  ],
  [
    'a representative',
    () =>
      `/sandbox/representatives/${testStack.theirs.representatives}?account=acct_${testStack.own}`,
  ],
  [
    'a linked bank account',
    () =>
      `/sandbox/linked-bank-accounts/${testStack.theirs.linked_bank_accounts}?account=acct_${testStack.own}`,
  ],
  ['a payout, without an account', () => `/sandbox/payouts/${testStack.theirs.payouts}`],
  ['a customer, without an account', () => `/sandbox/customers/${testStack.theirs.customers}`],
])('the page of %s does not contain the other account', async (_, pathOf) => {
  const pageResponse = await testStack.limited.send(pathOf())
  const pageText = await pageResponse.text()
  expect(pageText + (pageResponse.headers.get('location') ?? '')).not.toContain(testStack.foreign)
  expect(pageText).toContain('Lea Limited')
})

describe('a shared view', () => {
  const viewsPath = '/api/sandbox/desk/views'
  const shareView = async (list: string, search: string, accounts?: string[]) => {
    const sharedView = {
      list,
      name: `${list} ${search}`.slice(0, 60),
      search,
      shared: true,
      ...(accounts ? { accounts } : {}),
    }
    const viewReply = await testStack.admin.post<SavedView>(
      viewsPath,
      toJsonInit('POST', sharedView),
    )
    expect(viewReply.status).toBe(200)
    return viewReply.body.data?.id ?? ''
  }
  const listViewIds = async (list: string) =>
    (await testStack.limited.get<SavedView[]>(`${viewsPath}?list=${list}`)).body.data?.map(
      (view) => view.id,
    )

  test.each([
    ['the account', 'representatives', () => `account_id=${testStack.foreign}`],
    ['a customer', 'payments', () => `customer_id=${testStack.theirs.customers}`],
    ['a person by name', 'customers', () => 'search_text=Amara'],
  ])(
    'that refers to %s does not exist for a person limited to another account',
    async (_, list, searchOf) => {
      const id = await shareView(list, searchOf())
      expect(await listViewIds(list)).not.toContain(id)
      for (const init of [toJsonInit('PUT', { name: 'Mine now' }), { method: 'DELETE' }]) {
        const comparableResponse = await readComparableResponse(
          await testStack.limited.send(`${viewsPath}/${id}`, init),
        )
        expect(comparableResponse).toEqual(
          await readComparableResponse(
            await testStack.limited.send(`${viewsPath}/${randomUUID()}`, init),
          ),
        )
        expect(comparableResponse.status).toBe(404)
      }
    },
  )

  test('is visible to people of its account', async () => {
    const failedPaymentsSearch = 'payment_status=failed&min_amount='
    const ownViewId = await shareView('payments', `${failedPaymentsSearch}100`, [
      `acct_${testStack.own}`,
    ])
    const foreignViewId = await shareView('payments', `${failedPaymentsSearch}200`, [
      `acct_${testStack.foreign}`,
    ])
    expect(await listViewIds('payments')).toContain(ownViewId)
    expect(await listViewIds('payments')).not.toContain(foreignViewId)
  })

  test('stays visible to its owner, whatever it refers to', async () => {
    const foreignCustomerSearch = `customer_id=${testStack.theirs.customers}`
    const viewReply = await testStack.limited.post<SavedView>(
      viewsPath,
      toJsonInit('POST', {
        list: 'payments',
        name: 'Typed by hand',
        search: foreignCustomerSearch,
      }),
    )
    expect(await listViewIds('payments')).toContain(viewReply.body.data?.id)
  })
})
