import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildMultipartBody } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const receiver = await WebhookReceiver.open(secret)
afterAll(() => receiver.close())
const { client, process } = startSandboxPerFile(...receiver.flags)

beforeEach(() => {
  receiver.reply = 204
})

type Delivery = {
  id: string
  state: string
  next_attempt_at: string | null
  attempts: { at: string; status: number | null; error: string | null }[]
}

const readDeliveries = async (objectId: string) =>
  (await client().control<{ data: Delivery[] }>(`webhooks/deliveries?object_id=${objectId}`)).data
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })

/**
 * Creates a payout and puts it on hold, so that timers do not change it. The hold causes one
 * delivery. Returns the payout's id.
 */
async function createHeldPayout(): Promise<string> {
  const payout = await client().payout({ status: 'created' })
  await client().put(`/v1/payouts/${payout.id}/hold`, { reason: 'wait' })
  return payout.id
}

const readAttempts = async (objectId: string) =>
  (await readDeliveries(objectId)).at(-1)?.attempts ?? []
const readDeliveryStates = async (objectId: string) =>
  (await readDeliveries(objectId)).map(({ state }) => state)

test('seeding creates no events', async () => {
  expect((await client().control('events')).data).toEqual([])
  expect(await client().control('webhooks')).toMatchObject({
    configured: true,
    deliveries: { pending: 0, delivered: 0, failed: 0 },
  })
})

test('a change arrives signed, with the whole resource except its configuration', async () => {
  const id = await createHeldPayout()
  await expect.poll(() => receiver.about(id).length).toBeGreaterThan(0)
  const [message] = receiver.about(id).slice(-1)
  const { json } = await client().ask(`/v1/payouts/${id}`)
  expect(message?.verified).toBe(true)
  expect(message?.headers['content-type']).toBe('application/json')
  expect(Object.keys(message?.event ?? {})).toEqual([
    'event_type',
    'event_id',
    'account_id',
    'data',
  ])
  expect(message?.event).toMatchObject({
    event_type: 'payout.event.v1',
    data: { ...(json.data as object), config: {} },
  })
  await expect.poll(() => readDeliveryStates(id)).toEqual(receiver.about(id).map(() => 'delivered'))
  const { data: outbox } = await client().control(`events?object_id=${id}`)
  expect(outbox.at(-1)).toMatchObject({
    id: message?.event.event_id,
    object_id: id,
    payload: message?.event,
  })
  expect(outbox.map(({ seq }) => seq)).toEqual(
    (await readDeliveries(id)).map((entry) => (entry as unknown as { seq: number }).seq),
  )
})

test('an upload arrives with its document', async () => {
  const { id } = await client().payout()
  const { body, headers } = buildMultipartBody('proof.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'))
  expect(
    (await client().ask(`/v1/payouts/${id}/authorization`, { method: 'POST', body, headers }))
      .status,
  ).toBe(201)
  await expect
    .poll(() => receiver.about(id).at(-1)?.event.data.documents)
    .toMatchObject([{ document_name: 'proof.pdf' }])
})

test('the changes of one object arrive in order, including those of the clock', async () => {
  const { id } = await client().payout()
  for (const move of ['release', 'hold', 'release', 'hold', 'release'])
    await client().put(`/v1/payouts/${id}/${move}`, {})
  for (const seconds of [6, 61, 61, 61, 61]) await advanceClock(seconds)
  await expect.poll(() => receiver.about(id).at(-1)?.event.data.status).toBe('paid')
  const { status_history } = (await client().ask(`/v1/payouts/${id}`)).json.data as {
    status_history: { status: string }[]
  }
  const payoutEventMessages = receiver
    .about(id)
    .filter(({ event }) => event.event_type === 'payout.event.v1')
  // A state may be delivered more than once, so compare the order of distinct states.
  const dropRepeatedStatuses = (states: (string | undefined)[]) =>
    states.filter((status, index) => status !== states[index - 1])
  const requestedStatuses = ['created', 'on_hold', 'created', 'on_hold', 'created']
  const expectedStatuses = [...requestedStatuses, 'scheduled', 'pending', 'paid']
  expect(
    dropRepeatedStatuses(payoutEventMessages.map(({ event }) => event.data.status)).slice(
      -expectedStatuses.length,
    ),
  ).toEqual(expectedStatuses)
  expect(
    dropRepeatedStatuses(status_history.map(({ status }) => status)).slice(
      -expectedStatuses.length,
    ),
  ).toEqual(expectedStatuses)
})

test('a refused message is retried when the clock advances, under the same ID, until it is received', async () => {
  receiver.reply = 500
  const id = await createHeldPayout()
  await expect.poll(() => readAttempts(id)).toHaveLength(1)
  receiver.reply = 302
  await advanceClock(5)
  await expect.poll(() => readAttempts(id)).toHaveLength(2)
  receiver.reply = 'cut'
  await advanceClock(300)
  await expect.poll(() => readAttempts(id)).toHaveLength(3)
  receiver.reply = 200
  await advanceClock(1_800)
  await expect.poll(() => readDeliveryStates(id)).toEqual(['delivered'])
  expect(await readAttempts(id)).toMatchObject([
    { status: 500, error: null },
    { status: 302, error: null },
    { status: null, error: 'connection_cut' },
    { status: 200, error: null },
  ])
  const receivedMessages = receiver.about(id)
  const [first] = receivedMessages
  // The sandbox's clock is now over half an hour ahead. The signatures are still valid, because
  // their timestamps are from the machine's clock.
  expect(
    receivedMessages.map(({ id: webhookId, body, verified }) => [webhookId, body, verified]),
  ).toEqual(Array.from({ length: 4 }, () => [first?.id, first?.body, true]))
  expect((await readDeliveries(id)).map((entry) => entry.id)).toEqual([first?.id])
})

test('a delivery can be sent again, and an unknown one is 404', async () => {
  const id = await createHeldPayout()
  await expect.poll(() => readDeliveryStates(id)).toEqual(['delivered'])
  const [delivery] = await readDeliveries(id)
  expect(await client().control(`webhooks/deliveries/${delivery?.id}/resend`, {})).toMatchObject({
    id: delivery?.id,
    state: 'pending',
  })
  await expect.poll(() => receiver.about(id)).toHaveLength(2)
  expect(receiver.about(id)[1]?.id).toBe(receiver.about(id)[0]?.id)
  await expect.poll(async () => (await readAttempts(id)).length).toBe(2)
  expect((await client().controlRaw('webhooks/deliveries/msg_unknown/resend', {})).status).toBe(404)
})

describe('an invalid request to the control plane is rejected', () => {
  test.each([
    ['webhooks/deliveries?state=lost', undefined, 'state'],
    ['webhooks/deliveries?page=2', undefined, 'page'],
    ['events?since=-1', undefined, 'since'],
    ['webhooks/recover', { since: 'yesterday' }, 'since'],
    ['webhooks/recover', {}, 'since'],
    ['webhooks/enable', { now: true }, 'now'],
  ])('%s %j', async (path, body, named) => {
    const response = await client().controlRaw(path, body)
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      400,
      expect.stringContaining(named),
    ])
  })
})

test('after five days of failures the endpoint is disabled, and failed deliveries can be recovered', async () => {
  receiver.reply = 500
  const timeBeforeFirstEvent = new Date(
    Date.parse((await client().control<{ now: string }>('clock')).now) - 1,
  ).toISOString()
  const firstPayoutId = await createHeldPayout()
  await expect.poll(() => readAttempts(firstPayoutId)).toHaveLength(1)
  await advanceClock(5 * 86_400)
  await expect
    .poll(() => client().control('webhooks'))
    .toMatchObject({ disabled_at: expect.any(String) })
  await expect
    .poll(() => process().lines.filter((line) => line.includes('endpoint is disabled')))
    .toHaveLength(1)
  const secondPayoutId = await createHeldPayout()
  expect([
    await readDeliveryStates(firstPayoutId),
    await readDeliveries(secondPayoutId),
  ]).toMatchObject([['failed'], [{ state: 'failed', attempts: [] }]])
  const [delivery] = await readDeliveries(secondPayoutId)
  for (const [path, body] of [
    [`webhooks/deliveries/${delivery?.id}/resend`, {}],
    ['webhooks/recover', { since: timeBeforeFirstEvent }],
  ] as const) {
    const refusedResponse = await client().controlRaw(path, body)
    expect([refusedResponse.status, await refusedResponse.json()]).toEqual([
      409,
      { error: expect.stringContaining('enable') },
    ])
  }
  receiver.reply = 204
  expect(await client().control('webhooks/enable', {})).toMatchObject({
    disabled_at: null,
    failing_since: null,
  })
  const { recovered } = await client().control<{ recovered: number }>('webhooks/recover', {
    since: timeBeforeFirstEvent,
  })
  expect(recovered).toBeGreaterThanOrEqual(2)
  await expect
    .poll(async () => [
      ...(await readDeliveryStates(firstPayoutId)),
      ...(await readDeliveryStates(secondPayoutId)),
    ])
    .toEqual(['delivered', 'delivered'])
})

test('a reset deletes events and deliveries', async () => {
  await createHeldPayout()
  await client().control('reset', {})
  expect((await client().control('events')).data).toEqual([])
  expect((await client().control('webhooks/deliveries')).data).toEqual([])
  const id = await createHeldPayout()
  await expect.poll(() => receiver.about(id)).toHaveLength(1)
})
