import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Environment } from '@/lib/operations/define'
import { toRequestParts } from '@/lib/operations/http'
import { getSchemas, type Output } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { getAccountHeaderRule } from '@/lib/operations/service-operations'
import { requireScope } from '@/lib/server/auth/scoped-account'
import type { ListInput } from '@/lib/server/mirror/lists'
import type { MirroredResource } from '@/lib/server/mirror/mirrored'
import { readMirrorPage } from '@/lib/server/mirror/query'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { dialect } from './harness/dialect'
import { type FilterSourceRow, filterGenerators, type ObjectFields } from './harness/mirror-draws'
import { openTestStore } from './harness/own-store'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { storeKinds } from './harness/store-kinds'

type PageSummary = { ids: string[]; total: number }

const environment: Environment = 'sandbox'
const platformActor = {
  id: 'somebody',
  grants: [{ role: 'viewer' as const, environment, accountId: null }],
}

let sandbox: Sandbox
const rowsByList = new Map<MirrorListId, FilterSourceRow[]>()
let accountIds: string[]

async function queryService(
  id: MirrorListId,
  fields: ObjectFields,
  account: string | null,
): Promise<{ data: unknown[]; meta: { total_items: number } }> {
  const { path, query } = toRequestParts(id, fields)
  const scopeHeaders =
    account && getAccountHeaderRule(id, 'saas') !== 'forbidden'
      ? { [dialect.accountHeader]: dialect.accountValue(account) }
      : {}
  const response = await fetch(`${sandbox.url}/v1${path}?${query}`, {
    headers: { authorization: `Bearer ${sandbox.keys.full}`, ...scopeHeaders },
  })
  const body = (await response.json()) as { data: unknown[]; meta: { total_items: number } }
  if (!response.ok) throw new Error(`${id}?${query}: ${JSON.stringify(body)}`)
  return body
}

const parseRows = <K extends MirrorListId>(id: K, sentObjects: unknown[]): FilterSourceRow[] =>
  getSchemas(id).output.parse(sentObjects) as unknown as FilterSourceRow[]
const fullPageQuery = { page_size: 1000 }

/**
 * Reads a list of the service and stores its objects in the mirror (our copy of the lists). Reads a
 * list that accepts an account once for each account.
 */
async function copyListIntoMirror(
  id: MirrorListId,
  resource: MirroredResource,
  extraFields: ObjectFields = {},
): Promise<void> {
  const accountIdsToRead = getAccountHeaderRule(id, 'saas') === 'forbidden' ? [null] : accountIds
  const rows: FilterSourceRow[] = []
  for (const account of accountIdsToRead) {
    const objects = parseRows(
      id,
      (await queryService(id, { ...fullPageQuery, ...extraFields }, account)).data,
    )
    rows.push(...objects)
    await upsertObjects({
      environment,
      resource,
      account,
      objects: objects as never,
      seenBy: 'sync',
      seenAt: new Date(),
    })
  }
  rowsByList.set(id, rows)
}

const testedLists: readonly (readonly [MirrorListId, MirroredResource, ObjectFields?])[] = [
  ['accounts.list', 'accounts'],
  ['payments.search', 'payments', { include_metadata: true }],
  ['customers.list', 'customers'],
  ['paykeys.list', 'paykeys'],
  ['funding_events.list', 'funding_events'],
  ['capability_requests.list', 'capability_requests'],
  ['organizations.list', 'organizations'],
  ['representatives.list', 'representatives'],
  ['linked_bank_accounts.list', 'linked_bank_accounts'],
]

/**
 * Returns the query parameters of a list. Omits `platform_id`: there is only one platform, and
 * representatives lack this field.
 */
const getFilterNames = (id: MirrorListId): string[] =>
  Object.keys(getSchemas(id).input.shape)
    .filter((name) => name !== 'platform_id')
    .sort()

type ListQuery = { fields: ObjectFields; account: string | null }

/**
 * Returns `count` random queries for a list. Each has some of the list's filters, a sort order, a
 * page and perhaps an account.
 */
function generateRandomQueries(id: MirrorListId, count: number): ListQuery[] {
  const rows = rowsByList.get(id) ?? []
  const { sort_by } = getSchemas(id).input.shape as { sort_by: { unwrap?: () => unknown } }
  const sortKeys = (sort_by as { def: { innerType: { options: string[] } } }).def.innerType.options
  const queryArbitrary = fc
    .record({
      objects: fc.tuple(fc.constantFrom(...rows), fc.constantFrom(...rows)),
      kept: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 40, maxLength: 40 }),
      share: fc.constantFrom(0.05, 0.15, 0.3),
      sort_by: fc.constantFrom(...sortKeys),
      sort_order: fc.constantFrom('asc' as const, 'desc' as const),
      page_size: fc.constantFrom(3, 10, 50, 1000),
      page_number: fc.constantFrom(1, 1, 2, 5),
      account: fc.option(fc.constantFrom(...accountIds)),
    })
    .map(({ objects, kept, share, account, ...paging }) => {
      const definedFilterEntries = Object.entries(
        filterGenerators[id](...objects, rowsByList.get('accounts.list') ?? []),
      ).filter(([, value]) => value !== undefined)
      const filters = Object.fromEntries(
        definedFilterEntries.filter((_, at) => (kept[at] ?? 1) < share),
      )
      return { fields: { ...paging, ...filters }, account }
    })
  return fc.sample(queryArbitrary, { numRuns: count, seed: 20_261_123 })
}

async function readFromMirrorAndService(
  id: MirrorListId,
  { fields, account }: ListQuery,
): Promise<{ mirror: PageSummary; service: PageSummary; rows: [unknown[], unknown[]] }> {
  const listInput = getSchemas(id).input.parse(fields) as ListInput<MirrorListId>
  const scope = requireScope(
    platformActor,
    environment,
    getAccountHeaderRule(id, 'saas') === 'forbidden' ? null : account,
  )
  const page = await readMirrorPage(platformActor, id, listInput, scope)
  const serviceReply = await queryService(id, listInput, account)
  const serviceRows = parseRows(id, serviceReply.data)
  const mirrorRows = page.data as Output<'customers.list'>
  return {
    mirror: { ids: mirrorRows.map((row) => row.id), total: page.meta.total_items },
    service: { ids: serviceRows.map((row) => row.id), total: serviceReply.meta.total_items },
    rows: [mirrorRows, JSON.parse(JSON.stringify(serviceRows))],
  }
}

beforeAll(async () => {
  sandbox = await startSandbox({ payments: 1500 })
  // Set the sandbox’s clock back by a day. No timer is due then, so nothing changes at the service
  // during the comparison.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const setClockRequest = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ now: yesterday }),
  }
  expect((await fetch(`${sandbox.url}/sandbox/clock`, setClockRequest)).status).toBe(200)
  accountIds = parseRows(
    'accounts.list',
    (await queryService('accounts.list', fullPageQuery, null)).data,
  ).map(({ id }) => id)
})
afterAll(() => sandbox?.stop())

describe.each(storeKinds)('on %s', (kind) => {
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openTestStore(kind)
    for (const [id, resource, more] of testedLists) await copyListIntoMirror(id, resource, more)
  })
  afterAll(() => closeStore?.())

  test.each([
    ['payments.search', 200],
    ['customers.list', 60],
    ['paykeys.list', 60],
    ['funding_events.list', 60],
    ['accounts.list', 30],
    ['capability_requests.list', 30],
    ['organizations.list', 20],
    ['representatives.list', 30],
    ['linked_bank_accounts.list', 30],
  ] as const)('%s: mirror and service return the same', async (id, count) => {
    const filtersWithMatches = new Set<string>()
    for (const listQuery of generateRandomQueries(id, count)) {
      const { mirror, service, rows } = await readFromMirrorAndService(id, listQuery)
      expect({ question: listQuery, ...mirror }).toEqual({ question: listQuery, ...service })
      expect(rows[0]).toEqual(rows[1])
      if (service.total > 0)
        for (const name of Object.keys(listQuery.fields)) filtersWithMatches.add(name)
    }
    expect([...filtersWithMatches].sort()).toEqual(getFilterNames(id))
  })
})
