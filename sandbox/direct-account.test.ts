import { beforeAll, describe, expect, test } from 'vitest'
import { linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { bankAccountFields, representativeFields } from '@/tests/sandbox/make-account'
import { createTestCustomer } from '@/tests/sandbox/own-customer'
import { buildPayoutBody } from '@/tests/sandbox/own-paykey'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client, process } = startSandboxPerFile('--integration', 'account')

type ServiceObject = Record<string, unknown> & { id: string; status: string }

/** Requests of a direct account have no account header. */
const withoutHeader = { id: '', headers: {} }

const readList = async (path: string) =>
  (await client().ask(`${path}${path.includes('?') ? '&' : '?'}page_size=1000`)).json
    .data as ServiceObject[]
const readAccountIds = async (objectId: string) => {
  const journal = (await client().control(`journal?target=${objectId}`)).data
  const events = (await client().control(`events?object_id=${objectId}`)).data
  return new Set([...journal, ...events].map(({ account_id }) => account_id))
}

let accountId = ''
beforeAll(async () => {
  accountId = (await readList('/v1/accounts'))[0]?.id ?? ''
})

test('a customer, its paykey and a payout belong to the one account without a header', async () => {
  const customer = await createTestCustomer(client(), withoutHeader)
  const paykey = await linkBankAccount(client(), withoutHeader, customer.id)
  const { status, json } = await client().post('/v1/payouts', buildPayoutBody(paykey.paykey))
  const payout = json.data as ServiceObject
  expect(status).toBe(201)
  expect(await readList(`/v1/payments?customer_id=${customer.id}`)).toMatchObject([
    { id: payout.id },
  ])
  for (const { id } of [customer, paykey, payout])
    expect(await readAccountIds(id)).toEqual(new Set([accountId]))
})

test('funding is collected, moves and is listed without a header', async () => {
  const { id } = await client().control<ServiceObject>('objects/charges', {
    sandbox_outcome: 'paid',
  })
  await client().put(`/v1/charges/${id}/release`, {})
  await client().control('clock', { advance_seconds: 130 })
  const { status, json } = await client().post('/v1/funding_events/simulate', {
    funding_event_job_type: 'charges',
  })
  expect(status).toBe(201)
  const fundingEventId = (json.data as ServiceObject).id
  await client().control('clock', { advance_seconds: 60 })
  expect(await readAccountIds(fundingEventId)).toEqual(new Set([accountId]))
  expect(await readList(`/v1/funding_event_payments/${fundingEventId}`)).toContainEqual(
    expect.objectContaining({ id }),
  )
})

describe('the one account', () => {
  test('is read with its settings and its seeded objects, and nothing is the platform’s', async () => {
    const accounts = await readList('/v1/accounts')
    expect(accounts).toMatchObject([
      { status: 'active', business_profile: { name: 'Brightwater Property Group' } },
    ])
    const settings = await client().ask(`/v1/account_settings/${accountId}`)
    const account = await client().ask(`/v1/accounts/${accountId}`)
    expect([settings.status, account.status, account.json.data]).toEqual([200, 200, accounts[0]])
    for (const path of [
      '/v1/representatives',
      '/v1/linked_bank_accounts',
      '/v1/accounts/capability_requests',
      `/v1/accounts/${accountId}/capability_requests`,
    ]) {
      const owners = new Set((await readList(path)).map(({ account_id }) => account_id))
      expect([path, owners]).toEqual([path, new Set([accountId])])
    }
  })

  test('owns new representatives, bank accounts and limit requests', async () => {
    const relationship = { primary: false, control: false, owner: false }
    const representative = await client().post('/v1/representatives', {
      ...representativeFields,
      account_id: accountId,
      relationship,
    })
    const { id } = representative.json.data as ServiceObject
    const update = { ...representativeFields, relationship }
    const updated = await client().put(`/v1/representatives/${id}`, update)
    const unmasked = await client().ask(`/v1/representatives/${id}/unmask`)
    expect([representative.status, updated.status, unmasked.json.data]).toMatchObject([
      201,
      200,
      { ssn_last4: '4321' },
    ])
    const limitRequest = await client().post('/v1/accounts/capability_requests', {
      payouts: { enable: true, max_amount: 2_000_000 },
    })
    expect(limitRequest.status).toBe(201)
    expect(limitRequest.json.data).toMatchObject([{ account_id: accountId, type: 'payouts' }])
    for (const linkedBankAccount of await readList('/v1/linked_bank_accounts?status=active'))
      await client().control('compliance', {
        ...{ kind: 'linked_bank_account', id: linkedBankAccount.id, status: 'inactive' },
      })
    const bankAccount = { bank_account: bankAccountFields, purposes: ['billing'] }
    const linked = await client().post('/v1/linked_bank_accounts', bankAccount)
    expect([linked.status, linked.json.data]).toMatchObject([
      201,
      { account_id: accountId, platform_id: null },
    ])
  })

  test('is named on the home page', async () => {
    const { url, fetch } = process()
    const page = await (await fetch(url)).text()
    expect(page).toContain('account: There is one account, and no request names it.')
    expect(page).toContain('Not accepted: every request acts for the one account.')
  })

  test('has no platform', async () => {
    const refused = await client().post('/v1/organizations', { name: 'Harbor Group' })
    expect([refused.status, refused.json.error]).toMatchObject([
      403,
      { detail: 'A direct account has no platform that could do this.' },
    ])
    const platform_id = '018cc251-f400-7000-8000-00000000a11e'
    const linked = await client().post('/v1/linked_bank_accounts', {
      bank_account: bankAccountFields,
      platform_id,
    })
    expect([linked.status, linked.json.error?.items]).toMatchObject([
      422,
      [{ reference: 'platform_id' }],
    ])
  })

  test('is the account of a payment for a test', async () => {
    expect(await client().payout()).toMatchObject({ account_id: accountId })
  })
})
