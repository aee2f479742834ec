import { describe, expect, test } from 'vitest'
import {
  buildCustomerBody,
  createTestCustomer,
  findAccountWithConfiguration,
  type TestCustomer,
} from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type CustomerSummary = TestCustomer & {
  name: string
  type: string
  created_at: string
  external_id: string
}

const listCustomers = async (query: string, headers: Record<string, string> = {}) => {
  const response = await client().ask(`/v1/customers?page_size=1000&${query}`, { headers })
  expect([query, response.status]).toEqual([query, 200])
  return response.json.data as CustomerSummary[]
}

const personIdentifiers = { ssn: '900-12-3456', dob: '1984-02-29' }
const makeUpdateBody = (
  { name, email, phone, device }: Record<string, unknown>,
  overrides: Record<string, unknown> = {},
) => ({
  ...{ name, email, phone, device, status: 'verified' },
  ...overrides,
})

describe('the list', () => {
  test('is sorted by name, ignoring case, by default, and can be sorted both ways', async () => {
    const lowerCaseNames = (await listCustomers('')).map(({ name }) => name.toLowerCase())
    expect(lowerCaseNames.length).toBeGreaterThanOrEqual(400)
    expect(lowerCaseNames).toEqual(
      lowerCaseNames.toSorted((left, right) => (left < right ? -1 : Number(left > right))),
    )
    const creationTimes = (await listCustomers('sort_by=created_at&sort_order=desc')).map(
      ({ created_at }) => created_at,
    )
    expect(creationTimes).toEqual(creationTimes.toSorted().toReversed())
    const { meta } = (await client().ask('/v1/customers?page_size=7&page_number=3')).json
    expect(meta).toMatchObject({
      page_number: 3,
      page_size: 7,
      sort_by: 'name',
      sort_order: 'asc',
      total_items: lowerCaseNames.length,
    })
  })

  test('contains nine fields of each customer', async () => {
    const [first] = await listCustomers('page_number=1')
    const summaryFieldNames = [
      'id',
      'name',
      'type',
      'email',
      'phone',
      'external_id',
      'status',
      'created_at',
      'updated_at',
    ]
    expect(Object.keys(first ?? {})).toEqual(summaryFieldNames)
  })

  test('can be filtered by each filter', async () => {
    const allCustomers = await listCustomers('sort_by=created_at')
    const sampleCustomer = allCustomers[123]
    if (!sampleCustomer) throw new Error('no customer')
    const expectFilterResult = async (
      query: string,
      keep: (customer: CustomerSummary) => boolean,
    ) => {
      const filteredCustomers = await listCustomers(`sort_by=created_at&${query}`)
      expect(filteredCustomers.length, query).toBeGreaterThan(0)
      expect(filteredCustomers, query).toEqual(allCustomers.filter(keep))
    }
    await expectFilterResult('status=review,rejected', ({ status }) =>
      ['review', 'rejected'].includes(status),
    )
    await expectFilterResult('status=pending&status=inactive', ({ status }) =>
      ['pending', 'inactive'].includes(status),
    )
    await expectFilterResult('types=business', ({ type }) => type === 'business')
    await expectFilterResult('name=DENTAL', ({ name }) => /dental/i.test(name))
    await expectFilterResult(
      `email=${sampleCustomer.email.toUpperCase()}`,
      ({ id }) => id === sampleCustomer.id,
    )
    await expectFilterResult(
      `external_id=${sampleCustomer.external_id}`,
      ({ id }) => id === sampleCustomer.id,
    )
    await expectFilterResult('search_text=tanaka%20example', ({ name, email }) =>
      /tanaka/i.test(`${name} ${email}`),
    )
    await expectFilterResult(
      `created_from=${sampleCustomer.created_at}`,
      ({ created_at }) => created_at >= sampleCustomer.created_at,
    )
    await expectFilterResult(
      `created_to=${sampleCustomer.created_at}`,
      ({ created_at }) => created_at <= sampleCustomer.created_at,
    )
    expect(await listCustomers('name=100%25')).toEqual([])
  })

  test('contains only the customers of the selected account', async () => {
    const account = await findAccountWithConfiguration(client())
    const accountCustomers = await listCustomers('', account.headers)
    expect(accountCustomers.length).toBeGreaterThan(30)
    expect(accountCustomers.length).toBeLessThan((await listCustomers('')).length)
  })

  test.each([
    'status=gone',
    'types=person',
    'sort_by=email',
    'created_from=yesterday',
    'color=red',
  ])('rejects %s', async (query) => {
    expect((await client().ask(`/v1/customers?${query}`)).status).toBe(400)
  })
})

describe('the unmasked read', () => {
  test('returns the original values if the configuration allows it', async () => {
    const account = await findAccountWithConfiguration(client(), { allow_data_unmask: true })
    const { id } = await createTestCustomer(client(), account, {
      compliance_profile: personIdentifiers,
    })
    const unmaskResponse = await client().ask(`/v1/customers/${id}/unmasked`)
    expect(unmaskResponse.json.data).toMatchObject({
      id,
      compliance_profile: personIdentifiers,
      device: { ip_address: '198.51.100.23' },
    })
  })

  test('is 403 otherwise', async () => {
    const account = await findAccountWithConfiguration(client(), { allow_data_unmask: false })
    const { id } = await createTestCustomer(client(), account, {
      compliance_profile: personIdentifiers,
    })
    const refusedUnmaskResponse = await client().ask(`/v1/customers/${id}/unmasked`)
    expect([
      refusedUnmaskResponse.status,
      refusedUnmaskResponse.text.includes(personIdentifiers.ssn),
    ]).toEqual([403, false])
  })
})

describe('an update', () => {
  test('replaces the given fields and all metadata, and keeps omitted fields', async () => {
    const account = await findAccountWithConfiguration(client(), { allow_data_unmask: true })
    const body = buildCustomerBody({
      compliance_profile: personIdentifiers,
      metadata: { one: '1', two: '2' },
      external_id: 'keep-me',
    })
    const { id } = (await client().post('/v1/customers', body, account.headers)).json
      .data as TestCustomer
    const renameBody = makeUpdateBody(body, {
      name: 'Amara Diallo',
      device: { ip_address: '0.0.0.0' },
      metadata: { three: '3' },
    })
    const renameResponse = await client().put(`/v1/customers/${id}`, renameBody)
    expect(renameResponse.json.data).toMatchObject({
      name: 'Amara Diallo',
      metadata: { three: '3' },
      external_id: 'keep-me',
    })
    const unmaskedCustomer = (await client().ask(`/v1/customers/${id}/unmasked`)).json.data
    expect(unmaskedCustomer).toMatchObject({
      compliance_profile: personIdentifiers,
      device: { ip_address: '0.0.0.0' },
    })
    const clearFieldsResponse = await client().put(
      `/v1/customers/${id}`,
      makeUpdateBody(body, { external_id: null, compliance_profile: null, metadata: null }),
    )
    // Null metadata counts as missing. An empty object clears the metadata.
    expect(clearFieldsResponse.json.data).toMatchObject({
      external_id: null,
      compliance_profile: null,
      metadata: { three: '3' },
    })
    const clearMetadataResponse = await client().put(
      `/v1/customers/${id}`,
      makeUpdateBody(body, { metadata: {} }),
    )
    expect(clearMetadataResponse.json.data).toMatchObject({ metadata: {} })
    expect(await client().effects(id)).toMatchObject([
      { to: 'verified' },
      { operation: 'customers.update' },
      { from: 'verified', to: 'verified' },
      { from: 'verified', to: 'verified' },
    ])
  })

  test('may keep its own external ID and email address, but not take those of another customer', async () => {
    const account = await findAccountWithConfiguration(client(), { allow_duplicate_email: false })
    const firstCustomer = await createTestCustomer(client(), account, { external_id: 'first' })
    const body = buildCustomerBody({ external_id: 'second' })
    const { id } = (await client().post('/v1/customers', body, account.headers)).json
      .data as TestCustomer
    const updateCustomer = (overrides: Record<string, unknown>) =>
      client().put(`/v1/customers/${id}`, makeUpdateBody(body, overrides))
    expect((await updateCustomer({ external_id: 'first' })).json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'external_id' }],
    })
    expect((await updateCustomer({ email: firstCustomer.email })).json.error).toMatchObject({
      status: 422,
      items: [],
    })
    expect((await updateCustomer({ external_id: 'second' })).status).toBe(200)
  })

  test('requires name, email address, phone, device and status, and identifiers of the right type', async () => {
    const { id } = await createTestCustomer(client(), await findAccountWithConfiguration(client()))
    const emptyBodyResponse = await client().put(`/v1/customers/${id}`, { metadata: {} })
    const errorReferences = (
      emptyBodyResponse.json.error as { items: { reference: string }[] }
    ).items.map((item) => item.reference)
    expect([emptyBodyResponse.status, errorReferences]).toEqual([
      422,
      ['name', 'email', 'phone', 'device', 'status'],
    ])
    const businessProfile = { ein: '00-1234567', legal_business_name: 'Two Rivers LLC' }
    const wrongTypeResponse = await client().put(
      `/v1/customers/${id}`,
      makeUpdateBody(buildCustomerBody(), { compliance_profile: businessProfile }),
    )
    expect(wrongTypeResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'compliance_profile' }],
    })
    const futureBirthDate = { compliance_profile: { ...personIdentifiers, dob: '2999-01-01' } }
    const futureDateResponse = await client().put(
      `/v1/customers/${id}`,
      makeUpdateBody(buildCustomerBody(), futureBirthDate),
    )
    expect(futureDateResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'compliance_profile.dob' }],
    })
  })
})
