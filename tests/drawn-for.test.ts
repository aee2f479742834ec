import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdempotencyKey, goodReason } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let operatorRow: { id: string; name: string }

beforeAll(async () => {
  testStack = await openSharedDesk()
  const { rows } = await testStack.db.query(
    "select id, name from people where email = 'operator@paydesk.test'",
  )
  operatorRow = rows[0]
})
afterAll(() => testStack?.stop())

type PayoutReference = { id: string; account: string }

/**
 * Sends the cancellation of a payout as the operator. The header `drawn-for` contains the id of the
 * person for whom the sending page was rendered.
 */
const cancelPayout = ({ id, account }: PayoutReference, pagePersonId: string) =>
  testStack.operator.send(`/api/sandbox/v1/payouts/${id}/cancel?account=${account}`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': createIdempotencyKey(),
      'drawn-for': pagePersonId,
    },
    body: JSON.stringify({ reason: goodReason }),
  })
const readProfile = (pagePersonId: string) =>
  testStack.operator.send('/api/sandbox/desk/profile', { headers: { 'drawn-for': pagePersonId } })

test('a page of another person gets no data and no effect, and a message with the signed-in person', async () => {
  const payout = await testStack.sandbox.makePayout()
  const seqBefore = await testStack.sandbox.lastSeq()
  for (const response of [
    await cancelPayout(payout, randomUUID()),
    await readProfile(randomUUID()),
  ]) {
    const { error } = (await response.json()) as {
      error: { code: string; detail: string; items: unknown }
    }
    expect([response.status, error.code]).toEqual([409, 'other_person'])
    expect(error.detail).toBe(
      `You are signed in as ${operatorRow.name} now. Nothing was done. Reload to continue as ${operatorRow.name}`,
    )
    expect(error.items).toEqual([{ reference: 'signed_in_as', detail: operatorRow.name }])
  }
  expect(await testStack.sandbox.requests(seqBefore)).toEqual([])
  expect(
    (await testStack.db.query('select 1 from actions where target = $1', [`payouts/${payout.id}`]))
      .rows,
  ).toEqual([])
})

test('a page of the signed-in person works', async () => {
  expect((await cancelPayout(await testStack.sandbox.makePayout(), operatorRow.id)).status).toBe(
    200,
  )
  expect((await readProfile(operatorRow.id)).status).toBe(200)
})
