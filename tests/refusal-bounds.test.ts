import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { AppError } from '@/lib/errors'
import { serviceOperationIds } from '@/lib/operations/service-operations'
import { flushRefusals, recordRefusal } from '@/lib/server/audit/refusals'
import { log } from '@/lib/server/log'
import { closeStore, getDatabase, waitForBackgroundWrites } from '@/lib/server/store/store'
import { type PostgresServer, startPostgresServer } from './harness/postgres'
import { waitUntil } from './harness/wait-until'

let postgres: PostgresServer
let db: Client

beforeAll(async () => {
  postgres = await startPostgresServer()
  process.env.DATABASE_URL = postgres.url
  process.env.LOG_LEVEL = 'silent'
  await getDatabase()
  db = new Client(postgres.url)
  await db.connect()
  // The first refusal opens a time window of one minute, in which further refusals are only
  // counted. The fake timer keeps the window open until a test ends it, even on a slow machine.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await recordRefusal(createDeniedError(), { name: 'payouts.hold', actor: createPerson('first') })
  vi.useRealTimers()
})
afterAll(async () => {
  await closeStore()
  await postgres?.stop()
})

const readAuditRows = async (searchText: string) =>
  (
    await db.query('select body::json as body from audit where body like $1 order by seq', [
      `%${searchText}%`,
    ])
  ).rows.map(({ body }) => body)
const createClientAddress = (network: string) => ({ address: `a ${network}`, network })
const createPerson = (id: string) => ({
  id,
  name: '',
  email: '',
  sessionHash: `session ${id}`,
  grants: [],
  client: createClientAddress('work'),
})
const createDeniedError = () => new AppError('forbidden', 'no')
const createSignedOutError = () => new AppError('unauthenticated', 'no')

test('refusals of a session have rows up to a limit and are then counted', async () => {
  for (let time = 0; time < 65; time += 1) {
    await recordRefusal(createDeniedError(), {
      name: 'payouts.release',
      actor: createPerson('one'),
      target: `payouts/${time}`,
    })
  }
  await recordRefusal(createDeniedError(), { name: 'payouts.hold', actor: createPerson('one') })
  await recordRefusal(createDeniedError(), { name: 'payouts.release', actor: createPerson('two') })
  const listAuditCodes = async (id: string) =>
    (await readAuditRows(`session ${id}`)).map((row) => row.code)
  expect(await listAuditCodes('one')).toEqual([
    ...Array<string>(60).fill('payouts.release.denied'),
    'payouts.hold.denied',
  ])
  expect(await listAuditCodes('two')).toEqual(['payouts.release.denied'])
})

test('refusals of one network without a session have one row, whatever the requests', async () => {
  for (const name of serviceOperationIds)
    await recordRefusal(createSignedOutError(), { name, client: createClientAddress('loud') })
  for (const name of serviceOperationIds.slice(0, 3))
    await recordRefusal(createSignedOutError(), { name, client: createClientAddress('quiet') })
  await waitUntil('the rows', async () =>
    (await readAuditRows('"network":"quiet"')).length === 1 ? true : null,
  )
  expect((await readAuditRows('"network":"loud"')).length).toBe(1)
})

test('the number of rows is limited for any number of networks, and the rest is counted', async () => {
  for (let network = 0; network < 500; network += 1) {
    for (let time = 0; time < 3; time += 1)
      await recordRefusal(createSignedOutError(), {
        name: 'payouts.get',
        client: createClientAddress(`many-${network}`),
      })
  }
  const refusalRowCount = await waitUntil('the rows', async () => {
    const writtenRows = await readAuditRows('"network":"many-')
    return writtenRows.length >= 90 ? writtenRows.length : null
  })
  expect(refusalRowCount).toBeLessThan(200)
})

test('an error thrown twice is recorded once, and other errors are not recorded', async () => {
  const error = createDeniedError()
  await recordRefusal(error, { name: 'views.list', actor: createPerson('once') })
  await recordRefusal(error, { name: 'views.create', actor: createPerson('once') })
  await recordRefusal(new AppError('not_found'), {
    name: 'views.list',
    actor: createPerson('once'),
  })
  await recordRefusal(new Error('broken'), { name: 'views.list', actor: createPerson('once') })
  expect((await readAuditRows('session once')).map((row) => row.code)).toEqual([
    'views.list.denied',
  ])
})

test('a stop writes the counted refusals', async () => {
  flushRefusals()
  const isRemainderRow = (row: Record<string, unknown>) =>
    row.code === 'refusals.others.counted' && row.network === undefined
  // The row that counts all other refusals is written last. As soon as it exists, all rows with
  // counts exist.
  const repeatedRefusalRows = await waitUntil('the row of the others', async () => {
    const repeatedRows = await readAuditRows('"repeated"')
    return repeatedRows.some(isRemainderRow) ? repeatedRows : null
  })
  expect(repeatedRefusalRows.find((row) => row.session === 'session one')).toMatchObject({
    code: 'payouts.release.denied',
    repeated: 5,
  })
  expect(repeatedRefusalRows.find((row) => row.session === 'session one').target).toBeUndefined()
  const manyNetworksRows = repeatedRefusalRows.filter((row) => row.network?.startsWith('many-'))
  expect(manyNetworksRows.every((row) => row.repeated === 2)).toBe(true)
  const [loudNetworkRow] = repeatedRefusalRows.filter((row) => row.network === 'loud')
  expect(loudNetworkRow).toMatchObject({
    code: 'refusals.others.counted',
    refusal: 'unauthenticated',
    repeated: serviceOperationIds.length - 1,
  })
  const remainderRow = repeatedRefusalRows.find(isRemainderRow)
  // Each of the 500 networks sent three refusals. For a network in `manyNetworksRows`, one refusal has its
  // own row, and `repeated` counts the other two. `remainderRow` counts the refusals of all other
  // networks.
  expect(manyNetworksRows.length * 3 + remainderRow.repeated).toBe(500 * 3)
})

test('an unreachable store does not affect refusals without a session, and fails those of a person', async () => {
  await db.end()
  await closeStore()
  await postgres.stop()
  await recordRefusal(createSignedOutError(), {
    name: 'payouts.get',
    client: createClientAddress('late'),
  })
  await expect(
    recordRefusal(createDeniedError(), { name: 'payouts.get', actor: createPerson('late') }),
  ).rejects.toMatchObject({
    code: 'unavailable',
  })
  await waitForBackgroundWrites()
})

test('while the process stops, refusals that cannot be written are logged once and not tried again', async () => {
  const logErrorSpy = vi.spyOn(log, 'error')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  for (let time = 0; time < 3; time += 1)
    await recordRefusal(createSignedOutError(), {
      name: 'payouts.get',
      client: createClientAddress('stopping'),
    })
  for (let time = 0; time < 5; time += 1) {
    await vi.advanceTimersByTimeAsync(1)
    await waitForBackgroundWrites()
  }
  vi.useRealTimers()
  expect(logErrorSpy.mock.calls.map(([entry]) => entry)).toEqual([
    expect.objectContaining({ event: 'audit.refusals_not_written', count: expect.any(Number) }),
  ])
})
