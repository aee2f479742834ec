import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { AppError } from '@/lib/errors'
import { serviceOperationIds } from '@/lib/operations/service-operations'
import { flushRefusals, recordRefusal } from '@/lib/server/audit/refusals'
import { closeStore, database, waitForBackgroundWrites } from '@/lib/server/store/store'
import { type Server, startServer } from './harness/postgres'
import { waitUntil } from './harness/wait-until'

let postgres: Server
let db: Client

beforeAll(async () => {
  postgres = await startServer()
  process.env.DATABASE_URL = postgres.url
  process.env.LOG_LEVEL = 'silent'
  await database()
  db = new Client(postgres.url)
  await db.connect()
  // The refusal below opens a time window for counting. With a fake timer, the window does not end before the tests do, even on a slow
  // machine.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await recordRefusal(denied(), { name: 'payouts.hold', actor: person('first') })
  vi.useRealTimers()
})
afterAll(async () => {
  await closeStore()
  await postgres?.stop()
})

const rows = async (about: string) =>
  (await db.query('select body::json as body from audit where body like $1 order by seq', [`%${about}%`])).rows.map(({ body }) => body)
const of = (network: string) => ({ address: `a ${network}`, network })
const person = (id: string) => ({ id, name: '', email: '', sessionHash: `session ${id}`, grants: [], client: of('work') })
const denied = () => new AppError('forbidden', 'no')
const signedOut = () => new AppError('unauthenticated', 'no')

test('refusals of a session have rows up to a limit and are then counted', async () => {
  for (let time = 0; time < 65; time += 1) {
    await recordRefusal(denied(), { name: 'payouts.release', actor: person('one'), target: `payouts/${time}` })
  }
  await recordRefusal(denied(), { name: 'payouts.hold', actor: person('one') })
  await recordRefusal(denied(), { name: 'payouts.release', actor: person('two') })
  const of = async (id: string) => (await rows(`session ${id}`)).map((row) => row.code)
  expect(await of('one')).toEqual([...Array<string>(60).fill('payouts.release.denied'), 'payouts.hold.denied'])
  expect(await of('two')).toEqual(['payouts.release.denied'])
})

test('refusals of one network without a session have one row, whatever the requests', async () => {
  for (const name of serviceOperationIds) await recordRefusal(signedOut(), { name, client: of('loud') })
  for (const name of serviceOperationIds.slice(0, 3)) await recordRefusal(signedOut(), { name, client: of('quiet') })
  await waitUntil('the rows', async () => ((await rows('"network":"quiet"')).length === 1 ? true : null))
  expect((await rows('"network":"loud"')).length).toBe(1)
})

test('the number of rows is limited for any number of networks, and the rest is counted', async () => {
  for (let network = 0; network < 500; network += 1) {
    for (let time = 0; time < 3; time += 1) await recordRefusal(signedOut(), { name: 'payouts.get', client: of(`many-${network}`) })
  }
  const rowCount = await waitUntil('the rows', async () => {
    const written = await rows('"network":"many-')
    return written.length >= 90 ? written.length : null
  })
  expect(rowCount).toBeLessThan(200)
})

test('an error thrown twice is recorded once, and other errors are not recorded', async () => {
  const error = denied()
  await recordRefusal(error, { name: 'views.list', actor: person('once') })
  await recordRefusal(error, { name: 'views.create', actor: person('once') })
  await recordRefusal(new AppError('not_found'), { name: 'views.list', actor: person('once') })
  await recordRefusal(new Error('broken'), { name: 'views.list', actor: person('once') })
  expect((await rows('session once')).map((row) => row.code)).toEqual(['views.list.denied'])
})

test('a stop writes the counted refusals', async () => {
  flushRefusals()
  const isOthers = (row: Record<string, unknown>) => row.code === 'refusals.others.counted' && row.network === undefined
  // This row is written last. A stopping server waits some seconds for it.
  const counted = await waitUntil('the row of the others', async () => {
    const written = await rows('"repeated"')
    return written.some(isOthers) ? written : null
  })
  expect(counted.find((row) => row.session === 'session one')).toMatchObject({ code: 'payouts.release.denied', repeated: 5 })
  expect(counted.find((row) => row.session === 'session one').target).toBeUndefined()
  const many = counted.filter((row) => row.network?.startsWith('many-'))
  expect(many.every((row) => row.repeated === 2)).toBe(true)
  const [loud] = counted.filter((row) => row.network === 'loud')
  expect(loud).toMatchObject({ code: 'refusals.others.counted', refusal: 'unauthenticated', repeated: serviceOperationIds.length - 1 })
  const othersRow = counted.find(isOthers)
  // Each refusal is counted once: as a row, as `repeated` of a row, or in the row of all others.
  expect(many.length * 3 + othersRow.repeated).toBe(500 * 3)
})

test('an unreachable store does not affect refusals without a session, and fails those of a person', async () => {
  await db.end()
  await closeStore()
  await postgres.stop()
  await recordRefusal(signedOut(), { name: 'payouts.get', client: of('late') })
  await expect(recordRefusal(denied(), { name: 'payouts.get', actor: person('late') })).rejects.toMatchObject({ code: 'unavailable' })
  await waitForBackgroundWrites()
})
