import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let desk: WholeDesk

beforeAll(async () => {
  desk = await startWholeDesk()
})
afterAll(() => desk?.stop())

const paths: readonly string[] = ['/sandbox/payouts', '/sandbox/people', '/api/sandbox/v1/payments', '/api/sandbox/desk/approvals']

/** Makes requests of all kinds, and calls `meanwhile` when the first was answered. Returns the lines that the dashboard wrote by the end, and the statuses. */
async function linesOf(requests: number, meanwhile = async () => {}): Promise<{ lines: string[]; statuses: number[] }> {
  const from = desk.dashboard.log().length
  const asked = Array.from({ length: requests }, (_, at) => desk.operator.send(paths[at % paths.length] ?? ''))
  await Promise.race(asked)
  await meanwhile()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  return { lines: desk.dashboard.log().slice(from).split('\n').filter(Boolean), statuses }
}

/** Expects one JSON line for each error, with nothing of the session in it. */
function expectBare(lines: readonly string[]): void {
  const token = desk.operator.jar.get('paydesk.session') ?? ''
  const secrets = [token, createHash('sha256').update(token).digest('hex'), 'Failed query', 'params', 'select']
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !line.startsWith('{') || secrets.some((secret) => line.includes(secret)))).toEqual([])
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) })
}

test('a query that fails is one JSON line with its code, and no parameter', async () => {
  await desk.db.query('alter table grants rename to grants_elsewhere')
  const { lines, statuses } = await linesOf(8)
  await desk.db.query('alter table grants_elsewhere rename to grants')
  expect(statuses.filter((status) => status < 500)).toEqual([])
  expectBare(lines)
  expect(lines.join('\n')).toContain('42P01')
})

test('a pool without a free connection is the same', async () => {
  await desk.db.query('begin')
  await desk.db.query('lock table grants in access exclusive mode')
  const { lines, statuses } = await linesOf(40, async () => {
    await desk.db.query('rollback')
  })
  expect(statuses.some((status) => status >= 500)).toBe(true)
  expectBare(lines)
})
