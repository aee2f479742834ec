import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DeskOperation, type Role, roles, toOperationResource } from '@/lib/operations/define'
import {
  type DeskOperationId,
  deskOperationIds,
  deskOperations,
} from '@/lib/operations/desk-operations'
import { deskApiPath } from '@/lib/routes'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let personWithoutRoles: Person
const peopleByRole = new Map<Role, Person>()

beforeAll(async () => {
  testStack = await openSharedDesk()
  for (const role of roles) peopleByRole.set(role, await signIn(testStack.dashboard.url, role))
  await testStack.db.query(
    `insert into people (email, name, password_hash, demo)
       select 'nowhere@paydesk.test', 'Nia Nowhere', password_hash, true from people where email = 'operator@paydesk.test'`,
  )
  personWithoutRoles = await signIn(testStack.dashboard.url, 'nowhere@paydesk.test')
})
afterAll(() => testStack?.stop())

const findDeskOperation = (id: DeskOperationId): DeskOperation => deskOperations[id]

/**
 * Calls an operation with a random id and an unknown field. If the person has permission, the call
 * fails only later, at this input.
 */
function callOperation(
  id: DeskOperationId,
  send: Person['send'],
  headers: Record<string, string> = {},
): Promise<Response> {
  const { method, path } = findDeskOperation(id)
  const requestPath = deskApiPath(
    'sandbox',
    path.replace(':id', randomUUID()),
    method === 'GET' ? 'nonsense=1' : '',
  )
  const jsonHeaders = { 'content-type': 'application/json', ...headers }
  return method === 'GET'
    ? send(requestPath, { headers })
    : send(requestPath, { method, headers: jsonHeaders, body: JSON.stringify({ nonsense: 1 }) })
}

const readErrorCode = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code
const readLastAuditSeq = async () =>
  Number(
    (await testStack.db.query<{ seq: string }>('select coalesce(max(seq), 0) as seq from audit'))
      .rows[0]?.seq,
  )
const listAuditCodesSince = async (seq: number) =>
  (
    await testStack.db.query<{ code: string }>(
      `select body::json ->> 'code' as code from audit where seq > $1 order by seq`,
      [seq],
    )
  ).rows.map(({ code }) => code)

/**
 * All operations without an object. The others read their object before the permission check, so a
 * random id would fail too early.
 */
const operationIdsWithoutObject = deskOperationIds.filter(
  (id) => findDeskOperation(id).scope !== 'object',
)
const roleOperationPairs = sampleOfEachKind(
  roles.flatMap((role) => operationIdsWithoutObject.map((id) => [role, id] as const)),
  1,
  ([role, id]) => `${id} ${findDeskOperation(id).allow.includes(role)}`,
  ([role]) => role,
)

test.each(roleOperationPairs)('%s: %s is allowed or refused as defined', async (role, id) => {
  const seqBefore = await readLastAuditSeq()
  const operationResponse = await callOperation(id, peopleByRole.get(role)?.send as Person['send'])
  if (findDeskOperation(id).allow.includes(role))
    return expect([401, 403]).not.toContain(operationResponse.status)
  expect(await readErrorCode(operationResponse)).toBe('forbidden')
  expect(await listAuditCodesSince(seqBefore)).toEqual([`${id}.denied`])
})

test.each(deskOperationIds)(
  '%s is refused and audited for a person without a role in the environment',
  async (id) => {
    const auditSeqBefore = await readLastAuditSeq()
    const response = await callOperation(id, personWithoutRoles.send)
    expect([response.status, await readErrorCode(response)]).toEqual([403, 'forbidden'])
    expect(await listAuditCodesSince(auditSeqBefore)).toEqual([`${id}.denied`])
  },
)

test.each(deskOperationIds)('%s accepts or refuses another site as defined', async (id) => {
  const seqBeforeRequest = await readLastAuditSeq()
  const { method, ownPagesOnly } = findDeskOperation(id)
  const crossSiteHeaders = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const refusalErrorCode = await readErrorCode(
    await callOperation(id, testStack.operator.send, crossSiteHeaders),
  )
  const isOwnSiteOnly = method !== 'GET' || ownPagesOnly === true
  expect(refusalErrorCode === 'other_site').toBe(isOwnSiteOnly)
  if (isOwnSiteOnly)
    expect(await listAuditCodesSince(seqBeforeRequest)).toEqual([`${id}.other_site`])
})

test.each(sampleOfEachKind(deskOperationIds, 1, toOperationResource))(
  '%s does not exist in an environment that is not configured',
  async (id) => {
    const productionResponse = await testStack.operator.send(
      deskApiPath('production', findDeskOperation(id).path.replace(':id', randomUUID())),
      {
        method: findDeskOperation(id).method,
      },
    )
    expect(productionResponse.status).toBe(404)
  },
)

describe('a URL', () => {
  test('without an operation is 404', async () => {
    expect((await testStack.operator.send(deskApiPath('sandbox', '/canary'))).status).toBe(404)
    expect((await testStack.operator.send(deskApiPath('sandbox', '/payouts'))).status).toBe(404)
  })

  test('with a wrong method lists the allowed methods', async () => {
    const response = await testStack.operator.send(deskApiPath('sandbox', '/views'), {
      method: 'PATCH',
    })
    expect([response.status, await response.text()]).toEqual([
      405,
      expect.stringContaining('GET, POST'),
    ])
  })
})
