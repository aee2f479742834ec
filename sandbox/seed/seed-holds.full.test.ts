import { expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type HeldPayout = {
  id: string
  status: string
  status_details: { reason: string; source: string; code: string | null }
  paykey_details: { id: string }
}

const readPayout = async (id: string) =>
  (await client().ask(`/v1/payouts/${id}`)).json.data as HeldPayout

/**
 * Decides the review of a payout's paykey: approves it for an even index, rejects it for an odd
 * one. Returns the status that the payout must reach.
 */
async function decidePaykeyReview({ paykey_details }: HeldPayout, index: number): Promise<string> {
  const decidedStatus = index % 2 === 0 ? 'active' : 'rejected'
  const headers = { 'content-type': 'application/json' }
  const reviewResponse = await client().ask(`/v1/paykeys/${paykey_details.id}/review`, {
    method: 'PATCH',
    body: JSON.stringify({ status: decidedStatus }),
    headers,
  })
  expect(reviewResponse.status).toBe(200)
  return decidedStatus === 'active' ? 'paid' : 'failed invalid_paykey'
}

test('every seeded hold can be resolved, and the payout continues as its reason implies', async () => {
  const { json } = await client().ask('/v1/payments?payment_type=payout&payment_status=on_hold')
  const heldPayouts = json.data as HeldPayout[]
  const payoutsInReview = heldPayouts.filter(
    ({ status_details }) => status_details.reason === 'watchtower_review',
  )
  const expectedStatusById = new Map<string, string>()
  for (const [index, payout] of payoutsInReview.entries())
    expectedStatusById.set(payout.id, await decidePaykeyReview(payout, index))
  for (const { id, status_details } of heldPayouts.filter(
    (payout) => !payoutsInReview.includes(payout),
  )) {
    expect((await client().put(`/v1/payouts/${id}/release`, {})).status).toBe(200)
    // A payout held for a blocked paykey fails, because the paykey is still blocked.
    expectedStatusById.set(
      id,
      status_details.reason === 'invalid_paykey' ? 'failed invalid_paykey' : 'paid',
    )
  }
  await client().control('clock', { advance_seconds: 3_600 })
  const statusById = new Map<string, string>()
  for (const { id } of heldPayouts) {
    const { status, status_details } = await readPayout(id)
    statusById.set(id, status === 'paid' ? status : `${status} ${status_details.reason}`)
  }
  expect([heldPayouts.length, payoutsInReview.length]).toEqual([24, 4])
  expect(statusById).toEqual(expectedStatusById)
})

test('a hold requested at creation is the first history entry, as in the service', async () => {
  await client().control('reset', {})
  const { json } = await client().ask('/v1/payments?payment_status=on_hold&status_reason=auto_hold')
  for (const { id } of json.data as HeldPayout[]) {
    const { data } = (await client().ask(`/v1/payouts/${id}`)).json as {
      data: HeldPayout & { status_history: unknown[]; config: object }
    }
    expect(data.status_history).toEqual([{ ...data.status_details, status: 'on_hold' }])
    expect(data.config).toMatchObject({ auto_hold: true, auto_hold_message: expect.any(String) })
  }
  expect(json.data).toHaveLength(4)
})
