import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  businessProfile,
  createLinkedBankAccount,
  findOrganizationId,
  makeAccount,
  readEventSummary,
  type ServiceObject,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type BusinessProfile = Record<string, unknown>

const readObject = async (path: string) => (await client().ask(path)).json.data as ServiceObject
const buildExpectedRefusal = (reference: string) => [
  422,
  expect.objectContaining({ items: [expect.objectContaining({ reference })] }),
]

const fullBusinessProfile = {
  ...businessProfile,
  ...{
    legal_name: 'Sable & Finch Bakery, LLC',
    description: 'Bread',
    use_case: 'Collects for subscriptions',
  },
  ...{ tax_id: '123456789', phone: '+15125550199' },
  address: {
    line1: '12 King Street',
    line2: null,
    city: 'Austin',
    state: 'TX',
    postal_code: '78701',
    country: 'US',
  },
  industry: { mcc: '5462', sector: null, category: null },
  support_channels: {
    email: 'help@sable-finch.example.com',
    phone: null,
    url: 'https://sable-finch.example.com/help',
  },
}

describe('creating', () => {
  test('returns a created, unverified account with all capabilities in the sandbox', async () => {
    const createdAccount = await makeAccount(client(), {
      business_profile: fullBusinessProfile,
      external_id: 'sf-1',
      metadata: { tier: 'gold' },
    })
    const activeCapability = { capability_status: 'active' }
    const expectedLimits = {
      ...{
        max_amount: 500_000,
        daily_amount: 5_000_000,
        monthly_amount: 50_000_000,
        monthly_count: 1_000,
      },
      ...{ funding_time: 'one_day', linked_bank_account_id: null },
    }
    expect(createdAccount).toEqual({
      ...{
        id: expect.any(String),
        organization_id: await findOrganizationId(client()),
        type: 'business',
        access_level: 'standard',
      },
      status: 'created',
      status_detail: {
        reason: 'unverified',
        source: 'watchtower',
        code: '',
        message: expect.any(String),
      },
      business_profile: fullBusinessProfile,
      capabilities: {
        payment_types: { charges: activeCapability, payouts: activeCapability },
        customer_types: { individuals: activeCapability, businesses: activeCapability },
        consent_types: { signed_agreement: activeCapability, internet: activeCapability },
      },
      settings: { charges: expectedLimits, payouts: expectedLimits },
      ...{ terms_of_service: null, metadata: { tier: 'gold' }, external_id: 'sf-1' },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    })
    expect(await readObject(`/v1/accounts/${createdAccount.id}`)).toEqual(createdAccount)
    expect(await client().effects(createdAccount.id)).toMatchObject([
      { operation: 'accounts.create', account_id: createdAccount.id, from: '', to: 'created' },
    ])
    const { types, last } = await readEventSummary(client(), createdAccount.id)
    expect(types).toEqual(['account.created.v1', 'account.event.v1'])
    expect(last).toMatchObject({ account_id: createdAccount.id, data: createdAccount })
  })

  test('requires only name and website of the profile', async () => {
    const { business_profile } = await makeAccount(client())
    const nullProfileFields = {
      legal_name: null,
      description: null,
      use_case: null,
      tax_id: null,
      phone: null,
    }
    expect(business_profile).toEqual({
      ...businessProfile,
      ...nullProfileFields,
      address: null,
      industry: null,
      support_channels: null,
    })
  })

  const validAddress = { line1: '1 A', city: 'B', state: 'TX', postal_code: '78701' }
  test.each<[string, Record<string, unknown>, string]>([
    ['an organization nobody has', { organization_id: randomUUID() }, 'organization_id'],
    ['an organization that is no UUID', { organization_id: '7' }, 'organization_id'],
    ['another type', { account_type: 'individual' }, 'account_type'],
    ['another access level', { access_level: 'full' }, 'access_level'],
    ['no profile', { business_profile: undefined }, 'business_profile'],
    [
      'a website without a scheme',
      { business_profile: { ...businessProfile, website: 'example.com' } },
      'business_profile.website',
    ],
    [
      'a tax id of 8 digits',
      { business_profile: { ...businessProfile, tax_id: '12345678' } },
      'business_profile.tax_id',
    ],
    [
      'a state in words',
      { business_profile: { ...businessProfile, address: { ...validAddress, state: 'Texas' } } },
      'business_profile.address.state',
    ],
    [
      'an industry with half a name',
      { business_profile: { ...businessProfile, industry: { sector: 'food' } } },
      'business_profile.industry.mcc',
    ],
    ['an unknown field', { status: 'active' }, 'status'],
  ])('%s is rejected', async (_name, overrides, reference) => {
    const validAccountBody = {
      organization_id: await findOrganizationId(client()),
      account_type: 'business',
      access_level: 'standard',
    }
    const { status, json } = await client().post('/v1/accounts', {
      ...validAccountBody,
      business_profile: businessProfile,
      ...overrides,
    })
    expect([status, json.error]).toEqual(buildExpectedRefusal(reference))
  })

  test('rejects an account header and an empty body with 400', async () => {
    const accountHeaderResponse = await client().post(
      '/v1/accounts',
      {},
      { 'service-account-id': `acct_${randomUUID()}` },
    )
    expect(accountHeaderResponse.json.error).toMatchObject({
      status: 400,
      items: [{ reference: 'Service-Account-Id' }],
    })
    expect((await client().ask('/v1/accounts', { method: 'POST' })).status).toBe(400)
  })
})

describe('updating', () => {
  test('replaces the profile and the metadata, and keeps omitted fields', async () => {
    const createdAccount = await makeAccount(client(), {
      business_profile: fullBusinessProfile,
      external_id: 'sf-2',
      metadata: { tier: 'gold', team: 'a' },
    })
    const firstUpdateResponse = await client().put(`/v1/accounts/${createdAccount.id}`, {
      business_profile: { ...businessProfile, name: 'Sable' },
    })
    expect(firstUpdateResponse.json.data).toMatchObject({
      external_id: 'sf-2',
      metadata: { tier: 'gold', team: 'a' },
      status: 'created',
    })
    expect(
      (firstUpdateResponse.json.data as { business_profile: BusinessProfile }).business_profile,
    ).toMatchObject({
      name: 'Sable',
      legal_name: null,
      address: null,
    })
    const secondUpdateResponse = await client().put(`/v1/accounts/${createdAccount.id}`, {
      business_profile: businessProfile,
      metadata: { team: 'b' },
      external_id: null,
    })
    expect(secondUpdateResponse.json.data).toMatchObject({
      external_id: null,
      metadata: { team: 'b' },
    })
    expect(await readObject(`/v1/accounts/${createdAccount.id}`)).toEqual(
      secondUpdateResponse.json.data,
    )
    const thirdUpdateResponse = await client().put(`/v1/accounts/${createdAccount.id}`, {
      business_profile: businessProfile,
      metadata: null,
    })
    expect(thirdUpdateResponse.json.data).toMatchObject({ metadata: { team: 'b' } })
    expect((await readEventSummary(client(), createdAccount.id)).types).toHaveLength(5)
    expect(await client().effects(createdAccount.id)).toHaveLength(4)
    expect((await client().ask('/v1/accounts?search_text=sf-2')).json.data).toEqual([])
  })

  test('requires the profile, and an unknown account is 404', async () => {
    const createdAccount = await makeAccount(client())
    const { status, json } = await client().put(`/v1/accounts/${createdAccount.id}`, {
      metadata: {},
    })
    expect([status, json.error]).toEqual(buildExpectedRefusal('business_profile'))
    expect(
      (await client().put(`/v1/accounts/${randomUUID()}`, { business_profile: businessProfile }))
        .status,
    ).toBe(404)
  })
})

describe('settings', () => {
  test('contain limits, capabilities and a configuration that is off for a new account', async () => {
    const createdAccount = (await makeAccount(client(), {
      business_profile: fullBusinessProfile,
    })) as ServiceObject & {
      settings: Record<string, unknown>
    }
    const disabledFlags = { allow_data_unmask: false, allow_duplicate_email: false }
    const settings = await readObject(`/v1/account_settings/${createdAccount.id}`)
    expect(settings).toEqual({
      ...createdAccount.settings,
      statement_settings: {
        company_name: 'SABLE & FINCH BA',
        company_id: '123456789',
        default_descriptor: 'Sable & Finch Bakery',
      },
      payment_types: { charges: 'active', payouts: 'active' },
      customer_types: { individuals: 'active', businesses: 'active' },
      consent_types: { internet: 'active', signed_agreement: 'active' },
      configuration: {
        ...disabledFlags,
        allow_customer_identity_skip: false,
        allow_paykey_verification_skip: false,
      },
    })
    const configurationResponse = await client().control('configuration', {
      account_id: createdAccount.id,
      allow_data_unmask: true,
    })
    expect(configurationResponse).toMatchObject({ ...disabledFlags, allow_data_unmask: true })
    expect(await readObject(`/v1/account_settings/${createdAccount.id}`)).toEqual({
      ...settings,
      configuration: configurationResponse,
    })
    expect((await client().ask(`/v1/account_settings/${randomUUID()}`)).status).toBe(404)
  })

  test('contain the linked bank account of each payment type', async () => {
    const account = await makeAccount(client())
    const linkedBankAccount = await createLinkedBankAccount(client(), account.id, {
      purposes: ['charges', 'billing'],
    })
    const currentAccount = (await readObject(`/v1/accounts/${account.id}`)) as ServiceObject & {
      settings: Record<string, Record<string, unknown>>
    }
    expect([
      currentAccount.settings.charges?.linked_bank_account_id,
      currentAccount.settings.payouts?.linked_bank_account_id,
    ]).toEqual([linkedBankAccount.id, null])
    expect((await readEventSummary(client(), account.id)).last).toMatchObject({
      event_type: 'account.event.v1',
      data: currentAccount,
    })
  })
})
