import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { platformId } from '@/sandbox/organizations/organization-store'
import {
  makeAccount,
  makeRepresentative,
  readEventSummary,
  representativeFields,
  type ServiceObject,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type Representative = ServiceObject & { name: string; relationship: Record<string, unknown> }

const readRepresentative = async (path: string) =>
  (await client().ask(path)).json.data as Representative
const listRepresentatives = async (query: string) =>
  (await client().ask(`/v1/representatives?page_size=1000&${query}`)).json.data as Representative[]
const secondRepresentativeOverrides = {
  relationship: {
    primary: false,
    control: true,
    owner: true,
    percent_ownership: 12.5,
    title: 'Partner',
  },
}

describe('creating', () => {
  test('returns a representative with birthday and digits masked, except in an unmasked read', async () => {
    const account = await makeAccount(client())
    const representative = await makeRepresentative(client(), account.id, {
      external_id: 'rep-x',
      metadata: { desk: 'a' },
    })
    expect(representative).toEqual({
      ...{
        id: expect.any(String),
        account_id: account.id,
        user_id: null,
        status: 'created',
        phone: null,
      },
      status_detail: {
        reason: 'unverified',
        source: 'watchtower',
        code: '',
        message: expect.any(String),
      },
      ...{
        first_name: 'Nadia',
        last_name: 'Haddad',
        name: 'Nadia Haddad',
        dob: '****-**-**',
        ssn_last4: '****',
      },
      ...{ email: representativeFields.email, mobile_number: representativeFields.mobile_number },
      relationship: {
        primary: true,
        control: true,
        owner: false,
        percent_ownership: null,
        title: null,
      },
      ...{
        external_id: 'rep-x',
        metadata: { desk: 'a' },
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    })
    expect(await readRepresentative(`/v1/representatives/${representative.id}`)).toEqual(
      representative,
    )
    expect(await client().effects(representative.id)).toMatchObject([
      { operation: 'representatives.create', account_id: account.id, to: 'created' },
    ])
    const { types, last } = await readEventSummary(client(), representative.id)
    expect(types).toEqual(['representative.created.v1', 'representative.event.v1'])
    expect(last).toMatchObject({ account_id: account.id, data: representative })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['an account nobody has', { account_id: randomUUID() }, 'account_id'],
    ['no account', { account_id: undefined }, 'account_id'],
    ['no last name', { last_name: undefined }, 'last_name'],
    ['a birthday to come', { dob: '2999-01-01' }, 'dob'],
    ['a birthday that does not exist', { dob: '1990-02-30' }, 'dob'],
    ['five digits of a number', { ssn_last4: '12345' }, 'ssn_last4'],
    ['a mobile number without +', { mobile_number: '5125550144' }, 'mobile_number'],
    [
      'an owner without a share',
      { relationship: { primary: false, control: true, owner: true } },
      'relationship.percent_ownership',
    ],
    [
      'a share over 100',
      { relationship: { ...secondRepresentativeOverrides.relationship, percent_ownership: 101 } },
      'relationship.percent_ownership',
    ],
    [
      'no word on control',
      { relationship: { primary: false, owner: false } },
      'relationship.control',
    ],
    ['a second primary', {}, 'relationship.primary'],
    ['an unknown field', { user_id: randomUUID() }, 'user_id'],
  ])('%s is rejected', async (_name, overrides, reference) => {
    const account = await makeAccount(client())
    await makeRepresentative(client(), account.id)
    const { status, json } = await client().post('/v1/representatives', {
      account_id: account.id,
      ...representativeFields,
      ...overrides,
    })
    expect([status, json.error]).toMatchObject([422, { items: [{ reference }] }])
    expect(await listRepresentatives(`account_id=${account.id}`)).toHaveLength(1)
  })
})

test('updating replaces the person, and keeps an omitted external ID and metadata', async () => {
  const account = await makeAccount(client())
  const representative = await makeRepresentative(client(), account.id, {
    external_id: 'rep-y',
    metadata: { desk: 'a' },
  })
  const updateResponse = await client().put(`/v1/representatives/${representative.id}`, {
    ...representativeFields,
    last_name: 'Okafor',
    ssn_last4: '9876',
  })
  expect(updateResponse.json.data).toEqual({
    ...representative,
    last_name: 'Okafor',
    name: 'Nadia Okafor',
    updated_at: expect.any(String),
  })
  expect(await readRepresentative(`/v1/representatives/${representative.id}`)).toEqual(
    updateResponse.json.data,
  )
  const metadataResponse = await client().put(`/v1/representatives/${representative.id}`, {
    ...representativeFields,
    metadata: null,
  })
  expect(metadataResponse.json.data).toMatchObject({ metadata: { desk: 'a' } })
  const clearFieldsResponse = await client().put(`/v1/representatives/${representative.id}`, {
    ...representativeFields,
    metadata: {},
    external_id: null,
  })
  expect(clearFieldsResponse.json.data).toMatchObject({ metadata: {}, external_id: null })
  expect((await readEventSummary(client(), representative.id)).types).toHaveLength(5)
  const otherRepresentative = await makeRepresentative(
    client(),
    account.id,
    secondRepresentativeOverrides,
  )
  const { status, json } = await client().put(
    `/v1/representatives/${otherRepresentative.id}`,
    representativeFields,
  )
  expect([status, json.error]).toMatchObject([
    422,
    { items: [{ reference: 'relationship.primary' }] },
  ])
  expect(
    (
      await client().put(`/v1/representatives/${otherRepresentative.id}`, {
        ...representativeFields,
        account_id: account.id,
      })
    ).status,
  ).toBe(422)
  expect(
    (await client().put(`/v1/representatives/${randomUUID()}`, representativeFields)).status,
  ).toBe(404)
})

test('unmasking requires the setting of the account and returns updated data', async () => {
  const account = await makeAccount(client())
  const representative = await makeRepresentative(client(), account.id)
  const refusedResponse = await client().ask(`/v1/representatives/${representative.id}/unmask`)
  expect(refusedResponse.json.error).toMatchObject({
    status: 403,
    detail: expect.stringContaining('allow_data_unmask'),
  })
  await client().control('configuration', { account_id: account.id, allow_data_unmask: true })
  expect(await readRepresentative(`/v1/representatives/${representative.id}/unmask`)).toEqual({
    ...representative,
    dob: representativeFields.dob,
    ssn_last4: representativeFields.ssn_last4,
  })
  await client().put(`/v1/representatives/${representative.id}`, {
    ...representativeFields,
    dob: '1990-05-17',
    ssn_last4: '9876',
  })
  expect(await readRepresentative(`/v1/representatives/${representative.id}/unmask`)).toMatchObject(
    {
      dob: '1990-05-17',
      ssn_last4: '9876',
    },
  )
  expect((await client().ask(`/v1/representatives/${randomUUID()}/unmask`)).status).toBe(404)
})

describe('listing', () => {
  test('can be filtered by account, organization, platform and level', async () => {
    const account = await makeAccount(client())
    const representative = await makeRepresentative(client(), account.id)
    const allRepresentatives = await listRepresentatives('')
    expect(await listRepresentatives(`account_id=${account.id.toUpperCase()}`)).toEqual([
      representative,
    ])
    expect(await listRepresentatives(`account_id=${randomUUID()}`)).toEqual([])
    expect(await listRepresentatives('level=account')).toEqual(allRepresentatives)
    expect(await listRepresentatives('level=platform')).toEqual([])
    expect(await listRepresentatives(`platform_id=${platformId}`)).toEqual(allRepresentatives)
    expect(await listRepresentatives(`platform_id=${randomUUID()}`)).toEqual([])
    const organizations = (await client().ask('/v1/organizations')).json.data as { id: string }[]
    const organizationRepresentativeLists = await Promise.all(
      organizations.map(({ id }) => listRepresentatives(`organization_id=${id}`)),
    )
    expect(organizationRepresentativeLists.every((part) => part.length > 0)).toBe(true)
    expect(organizationRepresentativeLists.flat().length).toBe(allRepresentatives.length)
    expect(await listRepresentatives(`organization_id=${randomUUID()}`)).toEqual([])
  })

  test('every seeded account has one primary representative and one with control', async () => {
    const accounts = (await client().ask('/v1/accounts?page_size=16')).json.data as ServiceObject[]
    for (const { id, status } of accounts) {
      const accountRepresentatives = await listRepresentatives(`account_id=${id}`)
      expect(accountRepresentatives.map((each) => each.status)).toEqual(
        accountRepresentatives.map(() => status),
      )
      expect(accountRepresentatives.filter((each) => each.relationship.primary)).toHaveLength(1)
      expect(accountRepresentatives.some((each) => each.relationship.control)).toBe(true)
    }
  })
})
