import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roles } from '@/lib/operations/define'
import { getSchemas } from '@/lib/operations/registry'
import {
  getAccountHeaderRule,
  type MirrorListId,
  type RecordGetId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import type { Grant } from '@/lib/server/auth/people'
import { createRecordedScope } from '@/lib/server/auth/scoped-account'
import type { ListInput } from '@/lib/server/mirror/lists'
import { readMirrorObject, readMirrorPage, readMirrorRows } from '@/lib/server/mirror/query'
import { sumPayments } from '@/lib/server/mirror/sums'
import { isFullRun, sampleItems } from '@/tests/sandbox/sample'
import {
  accountByObjectId,
  accountIds,
  environment,
  filledLists,
  fillMirror,
  type ObjectFields,
  sampleIdsByList,
} from './harness/filled-mirror'
import { openTestStore } from './harness/own-store'

/** Number of random queries. A short run (`npm test`) uses a tenth of them. */
const queryCount = isFullRun ? 20_000 : 2_000
const maxConcurrentQueries = 8

let closeOwnStore: () => Promise<void>
beforeAll(async () => {
  closeOwnStore = await openTestStore('PostgreSQL')
  await fillMirror()
})
afterAll(() => closeOwnStore?.())

const accountArbitrary = fc.constantFrom(...accountIds)
const grantArbitrary = fc.record({
  id: fc.constant('grant'),
  role: fc.constantFrom(...roles),
  environment: fc.constantFrom('sandbox' as const, 'sandbox' as const, 'production' as const),
  accountId: fc.oneof(
    { weight: 6, arbitrary: accountArbitrary },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
}) as unknown as fc.Arbitrary<Grant>

/**
 * Filter values that match rows of many accounts, by filter name. A query ignores filters that its
 * list does not have.
 */
const valuesByFilter = {
  search_text: ['ana', 'shop', 'rent', 'ref-1', 'bank', '2026'],
  status: ['created', 'paid', 'active'],
  payment_status: ['created', 'on_hold,paid'],
  payment_type: ['charge', 'payout'],
  external_id: ['ref-1', 'ref-2'],
  account_id: accountIds,
  created_from: ['2026-03-10', '2026-03-10T00:00:00Z'],
  min_created_at: ['2026-03-10T00:00:00Z'],
  is_refund: ['true', 'false'],
  name: ['ana'],
  level: ['account', 'platform'],
  types: ['individual'],
  direction: ['deposit'],
  purpose: ['payouts'],
}
const filterArbitrary = fc.oneof(
  ...Object.entries(valuesByFilter).map(([name, some]) =>
    fc.constantFrom(...some).map((value) => ({ [name]: value })),
  ),
)

const createQueryArbitrary = () =>
  fc.record({
    id: fc.constantFrom(...filledLists.keys()),
    grants: fc.array(grantArbitrary, { maxLength: 3 }),
    // The requested account, or null for all. The person may have no role in it: even then, the
    // mirror must return no foreign rows.
    scope: fc.option(accountArbitrary, { freq: 2 }),
    filter: fc
      .array<ObjectFields>(filterArbitrary, { maxLength: 5 })
      .map((some) => Object.assign({}, ...some) as ObjectFields),
  })

const toVisibleAccounts = (grants: readonly Grant[]): ReadonlySet<string> | null => {
  const environmentGrants = grants.filter((one) => one.environment === environment)
  return environmentGrants.some((one) => one.accountId === null)
    ? null
    : new Set(environmentGrants.flatMap((one) => one.accountId ?? []))
}

/**
 * Returns the parsed input of a list: the given filters without those that the list does not
 * accept, and a page of 1,000 rows.
 */
function toListInput(id: MirrorListId, filter: ObjectFields): ListInput<MirrorListId> {
  const { input } = getSchemas(id)
  const paging = { page_size: 1000 }
  const acceptedFields = Object.entries(filter).filter(
    ([name, value]) => input.safeParse({ ...paging, [name]: value }).success,
  )
  return input.parse({
    ...paging,
    ...Object.fromEntries(acceptedFields),
  }) as ListInput<MirrorListId>
}

type RandomQuery = { id: MirrorListId; grants: Grant[]; scope: string | null; filter: ObjectFields }

/**
 * Returns a function that takes an object id and returns true if a person with these grants must
 * not see the object in this scope.
 */
const createHiddenObjectCheck =
  ({ id, grants, scope }: Pick<RandomQuery, 'id' | 'grants' | 'scope'>) =>
  (object: string): boolean => {
    const visibleAccounts = toVisibleAccounts(grants)
    const objectAccountId = accountByObjectId.get(object) ?? null
    const isOutOfScope = scope !== null && id !== 'accounts.list' && objectAccountId !== scope
    return (
      isOutOfScope ||
      (visibleAccounts !== null &&
        (objectAccountId === null || !visibleAccounts.has(objectAccountId)))
    )
  }

async function runQuery({
  id,
  grants,
  scope,
  filter,
}: RandomQuery): Promise<{ seen: number; limited: boolean; foreign: string[] }> {
  const page = await readMirrorPage(
    { grants },
    id,
    toListInput(id, filter),
    createRecordedScope(environment, scope),
  )
  const pageIds = (page.data as { id: string }[]).map((row) => row.id)
  const visibleAccounts = toVisibleAccounts(grants)
  const isForeign = createHiddenObjectCheck({ id, grants, scope })
  // All rows are on one page, so the total must equal the number of rows.
  expect([id, page.meta.total_items]).toEqual([id, pageIds.length])
  expect(page.accounts).toEqual(pageIds.map((object) => accountByObjectId.get(object)))
  return {
    seen: pageIds.length,
    limited: visibleAccounts !== null,
    foreign: pageIds.filter(isForeign),
  }
}

test(`no person sees or counts a row of another account in ${queryCount} random people, lists and filters`, async () => {
  const sampledQueries = sampleItems(
    fc.sample(createQueryArbitrary(), { numRuns: 20_000, seed: 20_261_123 }),
    queryCount,
  )
  const queryResults: Awaited<ReturnType<typeof runQuery>>[] = []
  for (let at = 0; at < sampledQueries.length; at += maxConcurrentQueries)
    queryResults.push(
      ...(await Promise.all(sampledQueries.slice(at, at + maxConcurrentQueries).map(runQuery))),
    )
  expect(queryResults.flatMap(({ foreign }) => foreign)).toEqual([])
  // Many queries must find rows, both for people limited to some accounts and for people with
  // access to all.
  expect(queryResults.filter(({ limited, seen }) => limited && seen > 0).length).toBeGreaterThan(
    queryCount / 20,
  )
  expect(queryResults.filter(({ limited, seen }) => !limited && seen > 0).length).toBeGreaterThan(
    queryCount / 20,
  )
})

test(`no row of another account is summed or found by ID in ${queryCount / 10} random cases`, async () => {
  const sampledSearches = sampleItems(
    fc.sample(createQueryArbitrary(), { numRuns: 2000, seed: 20_261_124 }),
    queryCount / 10,
  )
  let accountLimitedCaseCount = 0
  for (const { id, grants, scope, filter } of sampledSearches) {
    const searchInput = toListInput('payments.search', filter) as ListInput<'payments.search'>
    const mirrorReadScope = { environment, accountId: scope }
    const [page, sums] = await Promise.all([
      readMirrorPage({ grants }, 'payments.search', searchInput, mirrorReadScope),
      sumPayments({ grants }, searchInput, mirrorReadScope, ['account', 'status']),
    ])
    const sampleIds = sampleIdsByList.get(id) ?? []
    const rows = await readMirrorRows({ grants }, id, sampleIds, mirrorReadScope)
    const isForeign = createHiddenObjectCheck({ id, grants, scope })
    expect(rows.map((row) => row.id).sort()).toEqual(
      sampleIds.filter((object) => !isForeign(object)).sort(),
    )
    const visibleAccounts = toVisibleAccounts(grants)
    const pageAmountSum = page.data.reduce((sum, { amount }) => sum + Number(amount), 0)
    expect(sums.reduce((sum, { minor }) => sum + minor, 0)).toBe(pageAmountSum)
    expect(sums.reduce((sum, { count }) => sum + count, 0)).toBe(page.data.length)
    if (visibleAccounts)
      expect(
        sums.filter(({ account }) => account === null || !visibleAccounts.has(account)),
      ).toEqual([])
    if (visibleAccounts && sums.length > 0) accountLimitedCaseCount += 1
  }
  expect(accountLimitedCaseCount).toBeGreaterThan(queryCount / 200)
})

/**
 * Returns the operations that read a single object of a list. Payments have two, because a payment
 * is either a payout or a charge.
 */
function listReadOperations(id: MirrorListId): RecordGetId[] {
  const resource = toServiceResource(id)
  if (resource === 'capability_requests') return []
  return (
    resource === 'payments' ? ['payouts.get', 'charges.get'] : [`${resource}.get`]
  ) as RecordGetId[]
}

async function readSampleRecords({
  id,
  grants,
  scope,
}: RandomQuery): Promise<{ read: string[]; own: string[] }> {
  const readOperationIds = listReadOperations(id)
  const hasNoAccountScope = readOperationIds.some(
    (get) => getAccountHeaderRule(get, 'saas') === 'forbidden',
  )
  const isForeign = createHiddenObjectCheck({ id, grants, scope: hasNoAccountScope ? null : scope })
  const objectIds = readOperationIds.length > 0 ? (sampleIdsByList.get(id) ?? []) : []
  const recordPromises = objectIds.flatMap((object) =>
    readOperationIds.map((get) =>
      readMirrorObject({ grants }, get, object, { environment, accountId: scope }),
    ),
  )
  const returnedRecordIds = (await Promise.all(recordPromises)).flatMap((record) =>
    record ? (record.data as { id: string }).id : [],
  )
  return { read: returnedRecordIds, own: objectIds.filter((object) => !isForeign(object)) }
}

test('a record can be read by exactly the people whose list contains it, and only as its own kind', async () => {
  const recordResults: Awaited<ReturnType<typeof readSampleRecords>>[] = []
  for (const drawnQuery of sampleItems(
    fc.sample(createQueryArbitrary(), { numRuns: 400, seed: 20_261_125 }),
    queryCount / 20,
  ))
    recordResults.push(await readSampleRecords(drawnQuery))
  expect(recordResults.map(({ read }) => read)).toEqual(recordResults.map(({ own }) => own))
  expect(
    recordResults.filter(({ own }) => own.length > 0 && own.length < 5).length,
  ).toBeGreaterThan(queryCount / 1_000)
})
