import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type Organization = { id: string; name: string; external_id: string | null }

const isoTimestampMatcher = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const listOrganizations = async (query: string) =>
  (await client().ask(`/v1/organizations?${query}`)).json.data as Organization[]

test('an organization is created, read and listed', async () => {
  const body = { name: 'Tern Island Group', external_id: 'tern-1', metadata: { region: 'coast' } }
  const createResponse = await client().post('/v1/organizations', body)
  const organization = createResponse.json.data as Organization
  expect(createResponse.status).toBe(201)
  expect(organization).toEqual({
    ...body,
    id: expect.any(String),
    created_at: isoTimestampMatcher,
    updated_at: isoTimestampMatcher,
  })
  expect((await client().ask(`/v1/organizations/${organization.id}`)).json.data).toEqual(
    organization,
  )
  expect(await listOrganizations('external_id=tern-1')).toEqual([organization])
  expect(await listOrganizations('name=ISLAND')).toEqual([organization])
  expect(await listOrganizations('name=100%25')).toEqual([])
  expect(await client().effects(organization.id)).toMatchObject([
    { operation: 'organizations.create', from: '', to: 'created' },
  ])
})

test('external ID and metadata are optional', async () => {
  const { json } = await client().post('/v1/organizations', { name: 'Bare' })
  expect(json.data).toMatchObject({ name: 'Bare', external_id: null, metadata: {} })
})

test('organizations are sorted by name, ignoring case', async () => {
  for (const name of ['zebra finch co', 'Zebra Alp Co', 'ZEBRA moor co'])
    await client().post('/v1/organizations', { name })
  const descendingNames = (await listOrganizations('sort_by=name&sort_order=desc&name=zebra')).map(
    ({ name }) => name,
  )
  expect(descendingNames).toEqual(['ZEBRA moor co', 'zebra finch co', 'Zebra Alp Co'])
})

test('seeded organizations are sorted by name and have accounts', async () => {
  const seededOrganizations = (await listOrganizations('sort_by=name')).filter(({ external_id }) =>
    external_id?.startsWith('org-'),
  )
  expect(seededOrganizations.map(({ name }) => name)).toEqual([
    'Meadowlark Holdings',
    'Sahara & Fjord Ventures',
  ])
  const accounts = (await client().ask('/v1/accounts?page_size=1000')).json.data as {
    organization_id: string
  }[]
  expect(new Set(accounts.map((account) => account.organization_id))).toEqual(
    new Set(seededOrganizations.map(({ id }) => id)),
  )
})

test.each([
  ['no name', {}, 'name'],
  ['an empty name', { name: '  ' }, 'name'],
  [
    'too much metadata',
    {
      name: 'x',
      metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v'])),
    },
    'metadata',
  ],
  ['an unknown field', { name: 'x', title: 'y' }, 'title'],
])('%s is rejected', async (_name, body, reference) => {
  const { status, json } = await client().post('/v1/organizations', body)
  expect([status, json.error]).toEqual([
    422,
    expect.objectContaining({ items: [expect.objectContaining({ reference })] }),
  ])
})

test('an unknown organization is 404, and update and deletion are not allowed', async () => {
  expect((await client().ask(`/v1/organizations/${randomUUID()}`)).status).toBe(404)
  for (const method of ['PUT', 'DELETE']) {
    expect((await client().ask(`/v1/organizations/${randomUUID()}`, { method })).status).toBe(405)
  }
})

test('an account header is rejected', async () => {
  const response = await client().ask('/v1/organizations', {
    headers: { 'service-account-id': `acct_${randomUUID()}` },
  })
  expect(response.json.error).toMatchObject({
    status: 400,
    items: [{ reference: 'Service-Account-Id' }],
  })
})
