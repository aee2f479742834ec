import { expect, test } from 'vitest'
import { sandboxPerFile } from '@/sandbox/testing/sandbox-per-file'
import { paymentStatuses } from './payment'

const { client } = sandboxPerFile()

// Written out, not derived from the sandbox's own table: this is the provider's table read a second time.
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hold: { created: 'on_hold', scheduled: 'on_hold' },
  release: { on_hold: 'created', created: 'created' },
  cancel: { created: 'cancelled', scheduled: 'cancelled', on_hold: 'cancelled' },
}

type Payout = { status: string; status_details: Record<string, unknown>; status_history: Record<string, unknown>[] }

const read = async (id: string) => (await client().ask(`/v1/payouts/${id}`)).json.data as Payout
const pairs = Object.entries(allowed).flatMap(([move, targets]) =>
  paymentStatuses.map((status) => ({ move, status, target: targets[status] })),
)
const isMove = ({ status, target }: (typeof pairs)[number]) => target !== undefined && target !== status

test.each(pairs.filter(isMove))('$move from $status leads to $target, once', async ({ move, status, target }) => {
  const payout = await client().payout({ status })
  const answer = await client().put(`/v1/payouts/${payout.id}/${move}`, { reason: 'Asked by the customer' })
  const after = await read(payout.id)
  expect([answer.status, answer.json.data, after.status]).toEqual([200, after, target])
  expect(after.status_details).toMatchObject({ message: 'Asked by the customer', reason: 'user_request', source: 'user_action' })
  expect(after.status_history.at(-1)).toEqual({ ...after.status_details, status: target })
  expect(after.status_history).toHaveLength(status === 'created' ? 2 : 3)
  expect(await client().effects(payout.id)).toMatchObject([{ operation: `payouts.${move}`, from: status, to: target }])
})

test.each(pairs.filter((pair) => pair.target === undefined))('$move from $status is refused', async ({ move, status }) => {
  const payout = await client().payout({ status })
  const before = await read(payout.id)
  const answer = await client().put(`/v1/payouts/${payout.id}/${move}`, { reason: 'Asked by the customer' })
  const error = { status: 422, type: '/validation_error', title: 'Validation Failed', detail: expect.stringContaining(`status ${status}`) }
  expect([answer.status, answer.json.error]).toEqual([422, error])
  expect([await read(payout.id), await client().effects(payout.id)]).toEqual([before, []])
})

test('release of a created payout is answered 200 and changes nothing', async () => {
  const payout = await client().payout({ status: 'created' })
  const before = await read(payout.id)
  const answer = await client().put(`/v1/payouts/${payout.id}/release`, { reason: 'Asked by the customer' })
  expect([answer.status, answer.json.data]).toEqual([200, before])
  expect([await read(payout.id), await client().effects(payout.id)]).toEqual([before, []])
})

test('the reason may be left out, with or without a body', async () => {
  const [one, other] = [await client().payout(), await client().payout()]
  expect((await client().put(`/v1/payouts/${one.id}/release`, { reason: null })).status).toBe(200)
  expect((await client().ask(`/v1/payouts/${other.id}/release`, { method: 'PUT' })).status).toBe(200)
})

test('a released payout goes on with the clock; one on hold and the seeded ones stand still', async () => {
  const onTheirWay = async () => {
    const { json } = await client().ask('/v1/payments?payment_status=created,scheduled,pending&page_size=1000')
    return (json.data as { external_id: string }[])
      .map((payment) => payment.external_id)
      .filter((reference) => !reference.startsWith('made-'))
  }
  const seeded = await onTheirWay()
  expect(seeded.length).toBeGreaterThan(10)
  const [released, held] = [await client().payout(), await client().payout()]
  await client().put(`/v1/payouts/${released.id}/release`, {})
  const seen: string[] = []
  for (const seconds of [0, 6, 61, 61]) {
    await client().control('clock', { advance_seconds: seconds })
    seen.push((await read(released.id)).status)
  }
  expect(seen).toEqual(['created', 'scheduled', 'pending', 'paid'])
  expect((await read(held.id)).status).toBe('on_hold')
  expect(await onTheirWay()).toEqual(seeded)
})

test('two moves in a row keep the whole history, oldest first', async () => {
  const payout = await client().payout({ status: 'created' })
  await client().put(`/v1/payouts/${payout.id}/hold`, { reason: 'wait' })
  await client().put(`/v1/payouts/${payout.id}/cancel`, { reason: 'never mind' })
  const { status_history } = await read(payout.id)
  expect(status_history.map(({ status, message }) => [status, message])).toEqual([
    ['created', expect.any(String)],
    ['on_hold', 'wait'],
    ['cancelled', 'never mind'],
  ])
})
