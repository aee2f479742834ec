import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listsWithViews } from '@/lib/operations/saved-view.schema'
import {
  addLimitedPerson,
  buildPayoutBody,
  createObjectViaDesk,
  listActiveAccounts,
  makePaykey,
} from './harness/objects'
import { createPdfFile, goodReason, type Person, signIn } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

/**
 * `limitedPerson` has a role in a single account. Another account contains unique words, which this
 * person must never see.
 */
let testStack: WholeDesk
let admin: Person
let limitedPerson: Person
let ownAccount: string
const plantedSecretWords: string[] = []
const plantCanary = (kind: string) => {
  const canaryText = `Canary-${kind}-${randomUUID().slice(0, 8)}`
  plantedSecretWords.push(canaryText)
  return canaryText
}

beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true })
  admin = await signIn(testStack.dashboard.url, 'admin')
  const [first = '', second = ''] = await listActiveAccounts(admin)
  ownAccount = `acct_${first}`
  await addLimitedPerson(testStack.db, 'limited@paydesk.test', 'reviewer', first)
  limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
  await createRecordsWithCanaries(`acct_${second}`, second)
})
afterAll(() => testStack?.stop())

const toJsonInit = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function createRecordsWithCanaries(account: string, accountId: string) {
  const { body } = await admin.get<{ business_profile: { name: string } }>(
    `/api/sandbox/v1/accounts/${accountId}`,
  )
  plantedSecretWords.push(accountId, body.data?.business_profile.name ?? '')
  const { customer, paykey } = await makePaykey(admin, account)
  plantedSecretWords.push(customer.id, paykey.id)
  const { made: payout } = await createObjectViaDesk(
    admin,
    `/payouts?account=${account}`,
    buildPayoutBody(paykey.id, { description: plantCanary('description') }),
    {
      reason: goodReason,
    },
  )
  const heldPayout = await testStack.sandbox.makePayout({ account_id: accountId })
  plantedSecretWords.push(payout.id)
  plantedSecretWords.push(heldPayout.id)
  const proofFields = {
    authorized_by: plantCanary('authorizer'),
    authorized_on: '2026-03-31',
    method: 'internet',
    note: plantCanary('proof-note'),
  }
  await admin.upload(
    heldPayout,
    createPdfFile(`${plantCanary('file')}.pdf`),
    undefined,
    new URLSearchParams(proofFields).toString(),
  )
  await testStack.sandbox.fault({
    operation: 'payouts.hold',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 9,
  })
  const holdReply = await admin.decide(
    'hold',
    { id: payout.id, account },
    undefined,
    `MANUAL_REVIEW: ${plantCanary('reason')}`,
  )
  plantedSecretWords.push(holdReply.body.action?.id ?? '', holdReply.body.meta.request_id)
  const deletionBody = {
    id: randomUUID(),
    account,
    customer_id: customer.id,
    asker: 'DATA_SUBJECT_REQUEST',
  }
  const ticketCanary = plantCanary('ticket')
  const deletionReply = await admin.post(
    '/api/sandbox/desk/deletions',
    toJsonInit({
      ...deletionBody,
      basis: 'GDPR_17_1_B',
      identity_check: 'SIGNED_IN',
      ticket: ticketCanary,
    }),
  )
  expect(deletionReply.status).toBe(201)
  plantedSecretWords.push(deletionBody.id)
  for (const list of listsWithViews) {
    const viewBody = {
      list,
      name: plantCanary(`view-${list}`),
      search: `q=${plantCanary('filter')}`,
      shared: true,
    }
    expect((await admin.ask('POST', '/api/sandbox/desk/views', toJsonInit(viewBody))).status).toBe(
      200,
    )
  }
  const limitRequestBody = { payouts: { enable: true, max_amount: 900_000 } }
  const reason = `VOLUME_GROWTH: ${plantCanary('justification')}`
  const limitsReply = await admin.write(
    'POST',
    `/accounts/capability_requests?account=${account}`,
    limitRequestBody,
    { reason },
  )
  expect(limitsReply.status).toBeLessThan(300)
}

/**
 * Returns the words and ids of the other account that a text contains. Omits those in the request,
 * because a response may repeat them.
 */
const findLeaks = (text: string, requestText = '') =>
  plantedSecretWords.filter(
    (word) =>
      word !== '' && !requestText.includes(word) && text.toLowerCase().includes(word.toLowerCase()),
  )

const pathCases: [what: string, path: () => string][] = [
  ...listsWithViews.map((list): [string, () => string] => [
    `views of ${list}`,
    () => `/api/sandbox/desk/views?list=${list}`,
  ]),
  ['the request log', () => '/api/sandbox/desk/requests?page_size=50'],
  [
    'the request log of an object',
    () => `/api/sandbox/desk/requests?target=payouts/${plantedSecretWords.at(5)}`,
  ],
  [
    'the actions on an object',
    () => `/api/sandbox/desk/actions?target=payouts/${plantedSecretWords.at(5)}`,
  ],
  [
    'the actions on an object with a proof',
    () => `/api/sandbox/desk/actions?target=payouts/${plantedSecretWords.at(6)}`,
  ],
  [
    'the own open makings',
    () => `/api/sandbox/desk/actions?operation=payouts.create&account=${ownAccount}`,
  ],
  [
    'the deletions of a customer',
    () => `/api/sandbox/desk/deletions?customer=${plantedSecretWords.at(2)}`,
  ],
  ['the limit requests', () => `/api/sandbox/desk/limit-requests?account=${ownAccount}`],
  ['the use of limits', () => `/api/sandbox/desk/limit-requests/use?account=${ownAccount}`],
  ['the accounts', () => '/api/sandbox/v1/accounts?page_size=1000'],
]

describe('a person limited to one account sees no data of another', () => {
  test.each(pathCases)('in %s', async (_what, path) => {
    const listResponse = await limitedPerson.send(path())
    expect(listResponse.status).toBe(200)
    expect(findLeaks(await listResponse.text(), path())).toEqual([])
  })

  test('when searching for its IDs', async () => {
    for (const text of plantedSecretWords.filter((word) => word.length > 8)) {
      const response = await limitedPerson.send(`/api/sandbox/desk/find?account=${ownAccount}`, {
        headers: { 'find-text': encodeURIComponent(text) },
      })
      const responseText = await response.text()
      expect({
        text,
        leaked: findLeaks(responseText),
        found: JSON.parse(responseText).data,
      }).toEqual({
        text,
        leaked: [],
        found: expect.objectContaining({ traces: [], customers: [] }),
      })
    }
  })

  test('in an export', async () => {
    const exportResponse = await limitedPerson.send(
      `/api/sandbox/desk/exports/payments?account=${ownAccount}`,
    )
    expect(exportResponse.status).toBe(200)
    expect(findLeaks(await exportResponse.text())).toEqual([])
  })

  const pageNames = [
    'home',
    'limits',
    'deletions',
    'accounts',
    'activity',
    ...listsWithViews.map((list) => list.replaceAll('_', '-')),
  ]
  const queryStrings = ['', '?tab=all', '?tab=requests', '?tab=errors', '?tab=unknown']
  test.each([...new Set(pageNames)])(
    'on the page %s, with and without a selected account',
    async (page) => {
      for (const search of queryStrings) {
        const scopedQuery = `${search}${search ? '&' : '?'}account=${ownAccount}`
        for (const path of [`/sandbox/${page}${search}`, `/sandbox/${page}${scopedQuery}`]) {
          const limitedPageHtml = await (await limitedPerson.send(path)).text()
          expect({
            path,
            leaked: findLeaks(limitedPageHtml),
            named: limitedPageHtml.includes('Lea Limited'),
          }).toEqual({
            path,
            leaked: [],
            named: true,
          })
        }
      }
    },
  )

  test('while a person of the platform sees it', async () => {
    const adminPageHtml = await (await admin.send('/sandbox/activity?tab=unknown')).text()
    expect(findLeaks(adminPageHtml).length).toBeGreaterThan(0)
    const viewsText = await (await admin.send('/api/sandbox/desk/views?list=payments')).text()
    expect(findLeaks(viewsText).length).toBeGreaterThan(1)
  })
})
