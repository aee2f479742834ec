import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodReason, newKey } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let operatorRow: { id: string; name: string }

beforeAll(async () => {
  desk = await openSharedDesk()
  const { rows } = await desk.db.query("select id, name from people where email = 'operator@paydesk.test'")
  operatorRow = rows[0]
})
afterAll(() => desk?.stop())

type Payout = { id: string; account: string }

/** Cancels a payout from a page that was rendered for the person `drawnFor`. */
const cancelPayout = ({ id, account }: Payout, drawnFor: string) =>
  desk.operator.send(`/api/sandbox/v1/payouts/${id}/cancel?account=${account}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'idempotency-key': newKey(), 'drawn-for': drawnFor },
    body: JSON.stringify({ reason: goodReason }),
  })
const readProfile = (drawnFor: string) => desk.operator.send('/api/sandbox/desk/profile', { headers: { 'drawn-for': drawnFor } })

test('a page of another person gets no data and no effect, and a message with the signed-in person', async () => {
  const payout = await desk.sandbox.makePayout()
  const seqBefore = await desk.sandbox.lastSeq()
  for (const response of [await cancelPayout(payout, randomUUID()), await readProfile(randomUUID())]) {
    const { error } = (await response.json()) as { error: { code: string; detail: string; items: unknown } }
    expect([response.status, error.code]).toEqual([409, 'other_person'])
    expect(error.detail).toBe(`You are signed in as ${operatorRow.name} now. Nothing was done. Reload to continue as ${operatorRow.name}`)
    expect(error.items).toEqual([{ reference: 'signed_in_as', detail: operatorRow.name }])
  }
  expect(await desk.sandbox.requests(seqBefore)).toEqual([])
  expect((await desk.db.query('select 1 from actions where target = $1', [`payouts/${payout.id}`])).rows).toEqual([])
})

test('a page of the signed-in person works', async () => {
  expect((await cancelPayout(await desk.sandbox.makePayout(), operatorRow.id)).status).toBe(200)
  expect((await readProfile(operatorRow.id)).status).toBe(200)
})
