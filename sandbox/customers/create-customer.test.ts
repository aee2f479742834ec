import { describe, expect, test } from 'vitest'
import { makeAccount } from '@/tests/sandbox/make-account'
import {
  buildCustomerBody,
  createTestCustomer,
  findAccountWithConfiguration,
  type TestCustomer,
} from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type RefusalDetails = { detail: string; items?: { reference: string; detail: string }[] }

const createCustomer = async (
  body: Record<string, unknown>,
  accountFlags: Record<string, boolean> = {},
) =>
  client().post(
    '/v1/customers',
    body,
    (await findAccountWithConfiguration(client(), accountFlags)).headers,
  )

const personIdentifiers = { ssn: '900-12-3456', dob: '1984-02-29' }
const businessProfile = {
  ein: '00-1234567',
  legal_business_name: 'Two Rivers LLC',
  website: 'https://rivers.example.com',
}
const address = { address1: '12 King Street', city: 'Austin', state: 'TX', zip: '78701' }

describe('a created customer', () => {
  test('is returned complete and masked, and only its account can read it again', async () => {
    const account = await findAccountWithConfiguration(client())
    const body = buildCustomerBody({
      external_id: 'own-1',
      address: { ...address, address2: 'Apt 4', type: 'residential' },
      compliance_profile: personIdentifiers,
      metadata: { segment: 'vip' },
    })
    const createResponse = await client().post('/v1/customers', body, account.headers)
    expect(createResponse.status).toBe(201)
    const { name, type, email, phone } = body
    expect(createResponse.json.data).toMatchObject({
      ...{
        name,
        type,
        email,
        phone,
        external_id: 'own-1',
        status: 'verified',
        metadata: { segment: 'vip' },
      },
      address: { ...address, address2: 'Apt 4' },
      compliance_profile: { ssn: '***-**-****', dob: '****-**-**' },
      device: { ip_address: '**.**.**.**' },
      config: { sandbox_outcome: 'standard', processing_method: 'inline' },
    })
    const { id } = createResponse.json.data as TestCustomer
    expect(
      (await client().ask(`/v1/customers/${id}`, { headers: account.headers })).json.data,
    ).toEqual(createResponse.json.data)
    const accounts = (await client().ask('/v1/accounts?status=active')).json.data as {
      id: string
    }[]
    const foreignAccount = accounts.find((candidate) => candidate.id !== account.id)
    expect(
      (
        await client().ask(`/v1/customers/${id}`, {
          headers: { 'service-account-id': foreignAccount?.id ?? '' },
        })
      ).status,
    ).toBe(404)
    expect(await client().effects(id)).toMatchObject([
      { operation: 'customers.create', account_id: account.id, from: '', to: 'verified' },
    ])
  })

  test('keeps the public part of its identifiers if it is a business', async () => {
    const representatives = [
      { name: 'Wei Zhang', email: 'wei@example.org' },
      { name: 'Noor Haddad' },
    ]
    const businessCustomerResponse = await createCustomer(
      buildCustomerBody({
        type: 'business',
        compliance_profile: { ...businessProfile, representatives: representatives },
      }),
    )
    expect(businessCustomerResponse.json.data).toMatchObject({
      type: 'business',
      compliance_profile: {
        ...{ ...businessProfile, ein: '**-*******' },
        representatives: [
          { name: 'Wei Zhang', email: 'wei@example.org', phone: null },
          { name: 'Noor Haddad', email: null, phone: null },
        ],
      },
    })
  })

  test('needs only name, type, email address, phone and device', async () => {
    const minimalCustomerResponse = await createCustomer(buildCustomerBody())
    expect(minimalCustomerResponse.json.data).toMatchObject({
      address: null,
      compliance_profile: null,
      external_id: null,
      metadata: {},
    })
  })

  test.each([
    ['standard', 'verified', 'accept'],
    ['verified', 'verified', 'accept'],
    ['review', 'review', 'review'],
    ['rejected', 'rejected', 'reject'],
  ])('with the outcome %s has the status %s', async (sandbox_outcome, status, decision) => {
    const customerWithOutcomeResponse = await createCustomer(
      buildCustomerBody({ config: { sandbox_outcome } }),
    )
    const customer = customerWithOutcomeResponse.json.data as TestCustomer
    expect(customer.status).toBe(status)
    expect((await client().ask(`/v1/customers/${customer.id}/review`)).json.data).toMatchObject({
      identity_details: { decision },
    })
  })

  test('sends a created event and a change event, both masked', async () => {
    const account = await findAccountWithConfiguration(client())
    const customer = await createTestCustomer(client(), account, {
      compliance_profile: personIdentifiers,
    })
    const { data } = await client().control(`events?object_id=${customer.id}`)
    expect(data.map((event) => event.payload)).toMatchObject([
      { event_type: 'customer.created.v1', account_id: account.id, data: customer },
      { event_type: 'customer.event.v1', account_id: account.id, data: customer },
    ])
  })
})

describe('a creation is rejected with the invalid field', () => {
  test.each<[string, Record<string, unknown>]>([
    ['name', { name: undefined }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['type', { type: 'company' }],
    ['type', { type: undefined }],
    ['email', { email: 'nobody' }],
    ['phone', { phone: '512 555 0123' }],
    ['device', { device: undefined }],
    ['device.ip_address', { device: { ip_address: '::1' } }],
    ['address.state', { address: { ...address, state: 'Texas' } }],
    ['address.zip', { address: { ...address, zip: '7870' } }],
    ['address.city', { address: { ...address, city: undefined } }],
    ['address.address1', { address: { ...address, address1: 'x'.repeat(101) } }],
    ['address.country', { address: { ...address, country: 'US' } }],
    ['compliance_profile.ssn', { compliance_profile: { ...personIdentifiers, ssn: '900123456' } }],
    ['compliance_profile.dob', { compliance_profile: { ...personIdentifiers, dob: '1983-02-29' } }],
    ['compliance_profile.dob', { compliance_profile: { ...personIdentifiers, dob: '2999-01-01' } }],
    [
      'compliance_profile.ein',
      { compliance_profile: { ...personIdentifiers, ein: businessProfile.ein } },
    ],
    [
      'compliance_profile.ein',
      { type: 'business', compliance_profile: { ...businessProfile, ein: '1234567' } },
    ],
    [
      'compliance_profile.website',
      {
        type: 'business',
        compliance_profile: { ...businessProfile, website: 'javascript:alert(1)' },
      },
    ],
    [
      'compliance_profile.representatives.0.name',
      { type: 'business', compliance_profile: { ...businessProfile, representatives: [{}] } },
    ],
    ['external_id', { external_id: '' }],
    [
      'metadata',
      {
        metadata: Object.fromEntries(
          Array.from({ length: 21 }, (_, index) => [`key${index}`, 'x']),
        ),
      },
    ],
    ['metadata.note', { metadata: { note: 'x'.repeat(41) } }],
    ['config.sandbox_outcome', { config: { sandbox_outcome: 'active' } }],
    ['config.processing_method', { config: { processing_method: 'later' } }],
    ['status', { status: 'verified' }],
  ])('%s', async (reference, overrides) => {
    const refusedResponse = await createCustomer(buildCustomerBody(overrides))
    const { items } = refusedResponse.json.error as RefusalDetails
    expect([refusedResponse.status, items?.map((item) => item.reference)]).toEqual([
      422,
      [reference],
    ])
  })

  test('for the external ID of another customer, while other accounts may use it', async () => {
    const account = await findAccountWithConfiguration(client(), { allow_duplicate_email: false })
    await createTestCustomer(client(), account, { external_id: 'taken' })
    const duplicateResponse = await client().post(
      '/v1/customers',
      buildCustomerBody({ external_id: 'taken' }),
      account.headers,
    )
    expect([
      duplicateResponse.status,
      (duplicateResponse.json.error as RefusalDetails).items,
    ]).toEqual([422, [expect.objectContaining({ reference: 'external_id' })]])
    const otherAccount = await findAccountWithConfiguration(client(), {
      allow_duplicate_email: true,
    })
    expect(
      (
        await client().post(
          '/v1/customers',
          buildCustomerBody({ external_id: 'taken' }),
          otherAccount.headers,
        )
      ).status,
    ).toBe(201)
  })
})

describe('a duplicate email address in the account', () => {
  test('is rejected without items, in any case', async () => {
    const account = await findAccountWithConfiguration(client(), { allow_duplicate_email: false })
    const { email } = await createTestCustomer(client(), account)
    const uppercaseEmailResponse = await client().post(
      '/v1/customers',
      buildCustomerBody({ email: email.toUpperCase() }),
      account.headers,
    )
    expect([uppercaseEmailResponse.status, uppercaseEmailResponse.json.error]).toEqual([
      422,
      expect.objectContaining({ type: '/validation_error', items: [] }),
    ])
  })

  test('is accepted if the configuration allows it', async () => {
    const account = await findAccountWithConfiguration(client(), { allow_duplicate_email: true })
    const { email } = await createTestCustomer(client(), account)
    expect((await createTestCustomer(client(), account, { email })).email).toBe(email)
  })
})

test('the account header is required', async () => {
  const headerlessResponse = await client().post('/v1/customers', buildCustomerBody())
  expect([
    headerlessResponse.status,
    (headerlessResponse.json.error as RefusalDetails).items?.[0]?.reference,
  ]).toEqual([400, 'Service-Account-Id'])
})

test('an account without the capability for a customer type cannot create such customers', async () => {
  const { id } = await makeAccount(client())
  const accountHeader = { 'service-account-id': id }
  const capabilityResponse = await client().post(
    '/v1/accounts/capability_requests',
    { individuals: { enable: false } },
    accountHeader,
  )
  const [request] = capabilityResponse.json.data as { id: string }[]
  await client().control('compliance', {
    kind: 'capability_request',
    id: request?.id,
    status: 'inactive',
  })
  const individualCustomerResponse = await client().post(
    '/v1/customers',
    buildCustomerBody(),
    accountHeader,
  )
  expect([
    individualCustomerResponse.status,
    (individualCustomerResponse.json.error as RefusalDetails).items?.map(
      ({ reference }) => reference,
    ),
  ]).toEqual([422, ['type']])
  expect(
    (await client().post('/v1/customers', buildCustomerBody({ type: 'business' }), accountHeader))
      .status,
  ).toBe(201)
})
