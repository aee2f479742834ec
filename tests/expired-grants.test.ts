import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdempotencyKey, goodReason, type Person } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

const fieldsOverThreshold = { amount: 600_000 }
const inboxPath = '/api/sandbox/desk/approvals'
const oneSecondAgoSql = `now() - interval '1 second'`

let testStack: WholeDesk
let operator: Person
let reviewer: Person
let admin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  operator = testStack.operator
  reviewer = await testStack.signIn('reviewer')
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const setGrantsExpiry = (demoNames: readonly string[], expirySql: string) =>
  testStack.db.query(
    `update grants set expires_at = ${expirySql} from people where person_id = people.id and email = any($1)`,
    [demoNames.map((name) => `${name}@paydesk.test`)],
  )

const expectInboxStatus = (person: Person, status: number) =>
  waitUntil(`an inbox that answers ${status}`, async () =>
    (await person.get(inboxPath)).status === status ? true : null,
  )

/**
 * Sets the end of these people’s grants to the result of an SQL expression. Calls `run`, and then
 * removes the end.
 */
async function runWithGrantsEndingAt(
  demoNames: readonly string[],
  expirySql: string,
  run: () => Promise<void>,
): Promise<void> {
  await setGrantsExpiry(demoNames, expirySql)
  try {
    await run()
  } finally {
    await setGrantsExpiry(demoNames, 'null')
  }
}

const approveRequest = (person: Person, id: string) =>
  person.post(`${inboxPath}/${id}/approve`, {
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })

async function requestRelease() {
  const payout = await testStack.sandbox.makePayout(fieldsOverThreshold)
  const { body } = await operator.decide('release', payout, createIdempotencyKey(), goodReason)
  return { id: body.action?.id ?? '', path: `/v1/payouts/${payout.id}/release` }
}

const listSentWrites = async (path: string) =>
  (await testStack.sandbox.requests()).filter((request) => request.path === path)
const readActionState = async (id: string) =>
  (await testStack.db.query('select state from actions where id = $1', [id])).rows[0]?.state

test('an expired grant is void within a second, and a later end is valid', async () => {
  await runWithGrantsEndingAt(['reviewer'], oneSecondAgoSql, async () => {
    await expectInboxStatus(reviewer, 403)
  })
  await expectInboxStatus(reviewer, 200)
  await runWithGrantsEndingAt(['reviewer'], `now() + interval '1 hour'`, () =>
    expectInboxStatus(reviewer, 200).then(() => undefined),
  )
})

test('a waiting action does not run if its requester’s grant has expired or was removed', async () => {
  const releaseWithExpiredGrant = await requestRelease()
  await runWithGrantsEndingAt(['operator'], oneSecondAgoSql, async () => {
    expect((await approveRequest(admin, releaseWithExpiredGrant.id)).body.error?.code).toBe(
      'not_approved',
    )
  })
  await expectInboxStatus(operator, 200)
  const releaseWithRemovedGrant = await requestRelease()
  const { rows } = await testStack.db.query(
    `delete from grants using people where person_id = people.id and email = 'operator@paydesk.test' returning person_id, role, environment`,
  )
  expect((await approveRequest(admin, releaseWithRemovedGrant.id)).body.error?.code).toBe(
    'not_approved',
  )
  for (const { person_id, role, environment } of rows) {
    await testStack.db.query(
      'insert into grants (person_id, role, environment) values ($1, $2, $3)',
      [person_id, role, environment],
    )
  }
  for (const { id, path } of [releaseWithExpiredGrant, releaseWithRemovedGrant]) {
    expect(await readActionState(id)).toBe('void')
    expect(await listSentWrites(path)).toEqual([])
  }
  await expectInboxStatus(operator, 200)
})

test('a person with only an expired grant cannot approve and does not count as an approver', async () => {
  const { id, path } = await requestRelease()
  await runWithGrantsEndingAt(['reviewer'], oneSecondAgoSql, async () => {
    expect((await approveRequest(reviewer, id)).status).toBe(403)
  })
  expect(await readActionState(id)).toBe('awaiting_approval')
  expect(await listSentWrites(path)).toEqual([])
  const payout = await testStack.sandbox.makePayout(fieldsOverThreshold)
  await runWithGrantsEndingAt(['reviewer', 'admin', 'admin2'], oneSecondAgoSql, async () => {
    expect(await operator.decide('release', payout)).toMatchObject({
      status: 409,
      body: { error: { code: 'no_approver' } },
    })
  })
  expect((await operator.decide('release', payout)).status).toBe(202)
})

test('a person with only an expired grant does not count as a decider', async () => {
  const payout = await testStack.sandbox.makePayout({ amount: 1000 })
  const id = (await operator.decide('release', payout)).body.action?.id ?? ''
  await testStack.db.query(
    `update actions set state = 'needs_human', settled_at = null where id = $1`,
    [id],
  )
  const readOthersCanDecide = async () => (await operator.action(id)).body.action?.others_can_decide
  expect(await readOthersCanDecide()).toBe(true)
  await runWithGrantsEndingAt(['reviewer', 'admin'], oneSecondAgoSql, async () =>
    expect(await readOthersCanDecide()).toBe(false),
  )
  expect(await readOthersCanDecide()).toBe(true)
})

/**
 * Removes the passwords of these people, as if they never accepted their invitation. Calls `run`,
 * and then restores the passwords.
 */
async function runWithPasswordsRemoved(
  demoNames: readonly string[],
  run: () => Promise<void>,
): Promise<void> {
  const emails = demoNames.map((name) => `${name}@paydesk.test`)
  const { rows } = await testStack.db.query<{ id: string; password_hash: string }>(
    'select id, password_hash from people where email = any($1)',
    [emails],
  )
  await testStack.db.query('update people set password_hash = null where email = any($1)', [emails])
  try {
    await run()
  } finally {
    for (const { id, password_hash } of rows)
      await testStack.db.query('update people set password_hash = $2 where id = $1', [
        id,
        password_hash,
      ])
  }
}

test('a person who cannot sign in counts neither as an approver nor as a decider', async () => {
  const payout = await testStack.sandbox.makePayout(fieldsOverThreshold)
  await runWithPasswordsRemoved(['reviewer', 'admin', 'admin2'], async () => {
    expect(await operator.decide('release', payout)).toMatchObject({
      status: 409,
      body: { error: { code: 'no_approver' } },
    })
  })
  const smallPayout = await testStack.sandbox.makePayout({ amount: 1000 })
  const id = (await operator.decide('release', smallPayout)).body.action?.id ?? ''
  await testStack.db.query(
    `update actions set state = 'needs_human', settled_at = null where id = $1`,
    [id],
  )
  const readCanOthersDecide = async () => (await operator.action(id)).body.action?.others_can_decide
  expect(await readCanOthersDecide()).toBe(true)
  await runWithPasswordsRemoved(['reviewer', 'admin'], async () =>
    expect(await readCanOthersDecide()).toBe(false),
  )
})
