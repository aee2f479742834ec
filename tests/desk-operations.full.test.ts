import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DeskOperation, type Role, roles, toResource } from '@/lib/operations/define'
import { type DeskOperationId, deskOperationIds, deskOperations } from '@/lib/operations/desk-operations'
import { deskApiPath } from '@/lib/routes'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let personWithoutRoles: Person
const people = new Map<Role, Person>()

beforeAll(async () => {
  desk = await openSharedDesk()
  for (const role of roles) people.set(role, await signIn(desk.dashboard.url, role))
  await desk.db.query(
    `insert into people (email, name, password_hash, demo)
       select 'nowhere@paydesk.test', 'Nia Nowhere', password_hash, true from people where email = 'operator@paydesk.test'`,
  )
  personWithoutRoles = await signIn(desk.dashboard.url, 'nowhere@paydesk.test')
})
afterAll(() => desk?.stop())

const findDeskOperation = (id: DeskOperationId): DeskOperation => deskOperations[id]

/** Calls an operation with a random id and an unknown field. If the person has permission, the call fails later because of the input. */
function callOperation(id: DeskOperationId, send: Person['send'], headers: Record<string, string> = {}): Promise<Response> {
  const { method, path } = findDeskOperation(id)
  const requestPath = deskApiPath('sandbox', path.replace(':id', randomUUID()), method === 'GET' ? 'nonsense=1' : '')
  const json = { 'content-type': 'application/json', ...headers }
  return method === 'GET'
    ? send(requestPath, { headers })
    : send(requestPath, { method, headers: json, body: JSON.stringify({ nonsense: 1 }) })
}

const readErrorCode = async (response: Response) => ((await response.json()) as { error?: { code: string } }).error?.code
const readLastSeq = async () =>
  Number((await desk.db.query<{ seq: string }>('select coalesce(max(seq), 0) as seq from audit')).rows[0]?.seq)
const listCodesSince = async (seq: number) =>
  (await desk.db.query<{ code: string }>(`select body::json ->> 'code' as code from audit where seq > $1 order by seq`, [seq])).rows.map(
    ({ code }) => code,
  )

/** Omits operations on one object: they require the role in the object's account, so they read the object before the permission check. */
const scopedOperationIds = deskOperationIds.filter((id) => findDeskOperation(id).scope !== 'object')
const matrix = sampleOfEachKind(
  roles.flatMap((role) => scopedOperationIds.map((id) => [role, id] as const)),
  1,
  ([role, id]) => `${id} ${findDeskOperation(id).allow.includes(role)}`,
  ([role]) => role,
)

test.each(matrix)('%s: %s is allowed or refused as defined', async (role, id) => {
  const seqBefore = await readLastSeq()
  const response = await callOperation(id, people.get(role)?.send as Person['send'])
  if (findDeskOperation(id).allow.includes(role)) return expect([401, 403]).not.toContain(response.status)
  expect(await readErrorCode(response)).toBe('forbidden')
  expect(await listCodesSince(seqBefore)).toEqual([`${id}.denied`])
})

test.each(deskOperationIds)('%s is refused and audited for a person without a role in the environment', async (id) => {
  const before = await readLastSeq()
  const response = await callOperation(id, personWithoutRoles.send)
  expect([response.status, await readErrorCode(response)]).toEqual([403, 'forbidden'])
  expect(await listCodesSince(before)).toEqual([`${id}.denied`])
})

test.each(deskOperationIds)('%s accepts or refuses another site as defined', async (id) => {
  const before = await readLastSeq()
  const { method, ownPagesOnly } = findDeskOperation(id)
  const crossSiteHeaders = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const code = await readErrorCode(await callOperation(id, desk.operator.send, crossSiteHeaders))
  const isClosed = method !== 'GET' || ownPagesOnly === true
  expect(code === 'other_site').toBe(isClosed)
  if (isClosed) expect(await listCodesSince(before)).toEqual([`${id}.other_site`])
})

test.each(sampleOfEachKind(deskOperationIds, 1, toResource))('%s does not exist in an environment that is not configured', async (id) => {
  const response = await desk.operator.send(deskApiPath('production', findDeskOperation(id).path.replace(':id', randomUUID())), {
    method: findDeskOperation(id).method,
  })
  expect(response.status).toBe(404)
})

describe('a URL', () => {
  test('without an operation is 404', async () => {
    expect((await desk.operator.send(deskApiPath('sandbox', '/canary'))).status).toBe(404)
    expect((await desk.operator.send(deskApiPath('sandbox', '/payouts'))).status).toBe(404)
  })

  test('with a wrong method lists the allowed methods', async () => {
    const response = await desk.operator.send(deskApiPath('sandbox', '/views'), { method: 'PATCH' })
    expect([response.status, await response.text()]).toEqual([405, expect.stringContaining('GET, POST')])
  })
})
