import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeAccount, readEventSummary, type ServiceObject } from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { capabilityRequestStatuses } from './capability-request-store'

const { client } = startSandboxPerFile()

type CapabilityRequest = ServiceObject & {
  type: string
  enable: boolean
  account_id: string
  category: string
}
type Account = ServiceObject & {
  capabilities: Record<string, Record<string, { capability_status: string }>>
}

const requestsPathWithoutAccount = '/v1/accounts/capability_requests'
const getCapabilityRequestsPath = (account: string) => `/v1/accounts/${account}/capability_requests`
const readAccount = async (id: string) =>
  (await client().ask(`/v1/accounts/${id}`)).json.data as Account
const listCapabilityRequests = async (path: string) =>
  (await client().ask(path)).json.data as CapabilityRequest[]
const raisedLimits = {
  enable: true,
  max_amount: 900_000,
  daily_amount: 9_000_000,
  monthly_amount: 90_000_000,
  monthly_count: 4_000,
}

describe('creating', () => {
  test('returns a list with one request in review for each capability', async () => {
    const { id } = await makeAccount(client())
    const requestBody = {
      charges: raisedLimits,
      payouts: { enable: false },
      businesses: { enable: false },
      internet: { enable: true },
    }
    const createResponse = await client().post(getCapabilityRequestsPath(id), requestBody)
    const createdRequests = createResponse.json.data as CapabilityRequest[]
    expect([
      createResponse.status,
      createResponse.json.response_type,
      createResponse.json.meta?.total_items,
    ]).toEqual([201, 'array', 4])
    const { enable: _enable, ...settings } = raisedLimits
    const expectedRequestFields = {
      id: expect.any(String),
      account_id: id,
      status: 'in_review',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    }
    expect(createdRequests).toEqual([
      {
        ...expectedRequestFields,
        type: 'charges',
        category: 'payment_type',
        settings,
        enable: true,
      },
      {
        ...expectedRequestFields,
        type: 'payouts',
        category: 'payment_type',
        settings: null,
        enable: false,
      },
      {
        ...expectedRequestFields,
        type: 'businesses',
        category: 'customer_type',
        settings: null,
        enable: false,
      },
      {
        ...expectedRequestFields,
        type: 'internet',
        category: 'consent_type',
        settings: null,
        enable: true,
      },
    ])
    expect(await listCapabilityRequests(getCapabilityRequestsPath(id))).toEqual(createdRequests)
    for (const createdRequest of createdRequests) {
      expect(await client().effects(createdRequest.id)).toMatchObject([
        { account_id: id, from: '', to: 'in_review' },
      ])
      const { types, last } = await readEventSummary(client(), createdRequest.id)
      expect(types).toEqual(['capability_request.created.v1', 'capability_request.event.v1'])
      expect(last).toMatchObject({ account_id: id, data: createdRequest })
    }
  })

  test('accepts the account in the path, the header or the body', async () => {
    const { id } = await makeAccount(client())
    const accountHeader = { 'service-account-id': `acct_${id}` }
    const payoutLimitsBody = { payouts: raisedLimits }
    const createResponses = [
      await client().post(getCapabilityRequestsPath(id), payoutLimitsBody),
      await client().post(getCapabilityRequestsPath(id), payoutLimitsBody, accountHeader),
      await client().post(requestsPathWithoutAccount, payoutLimitsBody, accountHeader),
      await client().post(requestsPathWithoutAccount, { account_id: id, ...payoutLimitsBody }),
      await client().post(
        requestsPathWithoutAccount,
        { account_id: id, ...payoutLimitsBody },
        accountHeader,
      ),
    ]
    expect(createResponses.map(({ status }) => status)).toEqual(createResponses.map(() => 201))
    for (const response of createResponses)
      expect(response.json.data).toMatchObject([{ account_id: id }])
    const allRequests = await listCapabilityRequests(getCapabilityRequestsPath(id))
    expect(allRequests).toHaveLength(5)
    expect(
      (await client().ask(requestsPathWithoutAccount, { headers: accountHeader })).json.data,
    ).toEqual(allRequests)
  })

  test('rejects a missing account, two different accounts and an unknown one', async () => {
    const [one, two] = [await makeAccount(client()), await makeAccount(client())]
    const otherAccountHeader = { 'service-account-id': `acct_${two.id}` }
    const refusedResponses = [
      await client().post(requestsPathWithoutAccount, { payouts: raisedLimits }),
      await client().post(
        requestsPathWithoutAccount,
        { account_id: one.id, payouts: raisedLimits },
        otherAccountHeader,
      ),
      await client().post(requestsPathWithoutAccount, {
        account_id: randomUUID(),
        payouts: raisedLimits,
      }),
    ]
    for (const { json } of refusedResponses)
      expect(json.error).toMatchObject({ status: 422, items: [{ reference: 'account_id' }] })
    for (const [path, headers] of [
      [getCapabilityRequestsPath(randomUUID()), {}] as const,
      [getCapabilityRequestsPath(one.id), otherAccountHeader] as const,
    ]) {
      expect((await client().post(path, { payouts: raisedLimits }, headers)).status).toBe(404)
      expect((await client().ask(path, { headers })).status).toBe(404)
    }
    expect([
      await listCapabilityRequests(getCapabilityRequestsPath(one.id)),
      await listCapabilityRequests(getCapabilityRequestsPath(two.id)),
    ]).toEqual([[], []])
  })

  test('an empty request returns an empty list', async () => {
    const { id } = await makeAccount(client())
    const emptyBodyResponse = await client().post(getCapabilityRequestsPath(id), {})
    expect([
      emptyBodyResponse.status,
      emptyBodyResponse.json.data,
      emptyBodyResponse.json.meta?.total_items,
    ]).toEqual([201, [], 0])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['no word on enabling', { payouts: { max_amount: 1 } }, 'payouts.enable'],
    ['zero', { payouts: { ...raisedLimits, max_amount: 0 } }, 'payouts.max_amount'],
    [
      'a fraction of a cent',
      { charges: { ...raisedLimits, daily_amount: 9_000_000.5 } },
      'charges.daily_amount',
    ],
    ['a text', { charges: { ...raisedLimits, monthly_count: '10' } }, 'charges.monthly_count'],
    [
      'more a payment than a day',
      { payouts: { ...raisedLimits, max_amount: 9_000_001 } },
      'payouts.max_amount',
    ],
    [
      'more a day than a month',
      { charges: { ...raisedLimits, daily_amount: 90_000_001 } },
      'charges.daily_amount',
    ],
    [
      'more a payment than a day has now',
      { payouts: { enable: true, max_amount: 5_000_001 } },
      'payouts.max_amount',
    ],
    [
      'less a month than a day has now',
      { payouts: { enable: true, monthly_amount: 4_999_999 } },
      'payouts.monthly_amount',
    ],
    [
      'a limit of a customer type',
      { individuals: { enable: true, max_amount: 1 } },
      'individuals.max_amount',
    ],
    ['an unknown thing', { wires: { enable: true } }, 'wires'],
  ])('%s is rejected', async (_name, overrides, reference) => {
    const { id } = await makeAccount(client())
    const { status, json } = await client().post(getCapabilityRequestsPath(id), overrides)
    expect([status, json.error?.items]).toEqual([422, [{ reference, detail: expect.any(String) }]])
    expect(await listCapabilityRequests(getCapabilityRequestsPath(id))).toEqual([])
  })
})

describe('listing', () => {
  test('at the fixed path contains requests of the seed in every status', async () => {
    const listedRequests = await listCapabilityRequests(
      `${requestsPathWithoutAccount}?page_size=1000`,
    )
    expect(new Set(listedRequests.map(({ status }) => status))).toEqual(
      new Set(capabilityRequestStatuses),
    )
    for (const filter of [
      'type=payouts',
      'category=consent_type',
      'status=in_review',
      'type=charges&status=rejected',
    ]) {
      const filterPairs = [...new URLSearchParams(filter)]
      const filteredRequests = await listCapabilityRequests(
        `${requestsPathWithoutAccount}?page_size=1000&${filter}`,
      )
      expect(filteredRequests).toEqual(
        listedRequests.filter((each) =>
          filterPairs.every(([name, value]) => (each as Record<string, unknown>)[name] === value),
        ),
      )
      expect(filteredRequests.length).toBeGreaterThan(0)
    }
    expect((await client().ask(`${requestsPathWithoutAccount}?status=approved`)).status).toBe(400)
    expect((await client().ask(requestsPathWithoutAccount, { method: 'DELETE' })).status).toBe(405)
  })

  test('the requests granted by the seed are in effect', async () => {
    for (const { account_id, type, enable, status } of await listCapabilityRequests(
      `${requestsPathWithoutAccount}?page_size=1000`,
    )) {
      if (!['approved', 'active', 'inactive'].includes(status)) continue
      const { capabilities } = await readAccount(account_id)
      const capabilitiesOfType = Object.values(capabilities).flatMap((group) => group[type] ?? [])
      expect(capabilitiesOfType).toEqual([{ capability_status: enable ? 'active' : 'inactive' }])
    }
  })
})
