import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestProcesses } from '@/tests/sandbox/own-processes'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

const secret = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
let dataFolder: string
let receiver: WebhookReceiver

beforeEach(async () => {
  dataFolder = folder()
  receiver = await WebhookReceiver.open(secret)
})

afterEach(() => receiver.close())

const { folder, start: startInFolder } = createTestProcesses()

const startSandbox = (...args: string[]) => startInFolder(dataFolder, '--payments', '50', ...args)
const startSandboxWithWebhooks = () => startSandbox(...receiver.flags)

type DeliveryLog = {
  data: { id: string; state: string; attempts: { status: number | null; error: string | null }[] }[]
}
const readDeliveryLog = async (client: SandboxClient, id: string) =>
  (await client.control<DeliveryLog>(`webhooks/deliveries?object_id=${id}`)).data

async function createHeldPayout(client: SandboxClient): Promise<string> {
  const payout = await client.payout({ status: 'created' })
  await client.put(`/v1/payouts/${payout.id}/hold`, {})
  return payout.id
}

test('a configured secret is not in the process list', async () => {
  const { process } = await startSandboxWithWebhooks()
  const processList = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(process.child.pid)], {
    encoding: 'utf8',
  })
  expect(processList).toContain('--webhook-secret-file')
  expect(processList).not.toContain('whsec_')
})

test('an event is delivered after a kill and restart, under its former ID', async () => {
  const { process, client } = await startSandboxWithWebhooks()
  const port = Number(new URL(receiver.url).port)
  await receiver.close()
  const id = await createHeldPayout(client)
  await expect
    .poll(async () => (await readDeliveryLog(client, id))[0]?.attempts)
    .toMatchObject([{ status: null, error: 'connection_refused' }])
  const [deliveryBefore] = await readDeliveryLog(client, id)
  await process.stop('SIGKILL')
  receiver = await WebhookReceiver.open(secret, port)
  const restartedSandbox = await startSandboxWithWebhooks()
  await restartedSandbox.client.control('clock', { advance_seconds: 5 })
  await expect
    .poll(() => receiver.about(id).map((message) => [message.id, message.verified]))
    .toEqual([[deliveryBefore?.id, true]])
  await expect
    .poll(() => readDeliveryLog(restartedSandbox.client, id))
    .toMatchObject([{ state: 'delivered' }])
})

test('an event is sent again under the same ID after a kill between request and result', async () => {
  receiver.reply = 'hang'
  const { process, client } = await startSandboxWithWebhooks()
  const id = await createHeldPayout(client)
  await expect.poll(() => receiver.about(id)).toHaveLength(1)
  expect(await readDeliveryLog(client, id)).toMatchObject([{ state: 'pending', attempts: [] }])
  await process.stop('SIGKILL')
  receiver.reply = 204
  const sandboxAfterRestart = await startSandboxWithWebhooks()
  await expect
    .poll(() => readDeliveryLog(sandboxAfterRestart.client, id))
    .toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }])
  const [first, second] = receiver.about(id)
  expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
})

test('a hanging receiver blocks four messages and no request, and a restart sends all', async () => {
  receiver.reply = 'hang'
  const { process, client } = await startSandboxWithWebhooks()
  const payoutIds: string[] = []
  for (let n = 0; n < 9; n++) payoutIds.push(await createHeldPayout(client))
  await expect.poll(() => receiver.received.length).toBe(4)
  expect((await client.ask('/v1/payments?page_size=1')).status).toBe(200)
  expect(await process.stop()).toBe(0)
  expect([receiver.received.length, receiver.mostAtOnce]).toEqual([4, 4])
  receiver.reply = 204
  const sandboxAfterStop = await startSandboxWithWebhooks()
  for (const id of payoutIds)
    await expect
      .poll(() => readDeliveryLog(sandboxAfterStop.client, id))
      .toMatchObject([{ state: 'delivered' }])
  expect(receiver.mostAtOnce).toBe(4)
})

test('a missing secret is generated, readable by its owner only, and never printed', async () => {
  const secretFile = join(dataFolder, 'webhook-secret')
  const { process } = await startSandbox('--webhook', receiver.url)
  const generatedSecret = readFileSync(secretFile, 'utf8').trim()
  expect(generatedSecret).toMatch(/^whsec_[\w+/]{32}$/)
  expect(statSync(secretFile).mode & 0o777).toBe(0o600)
  expect(process.lines).toContain(`webhook secret in ${secretFile}`)
  expect(process.lines.join('\n')).not.toContain(generatedSecret)
  await process.stop()
  await receiver.close()
  receiver = await WebhookReceiver.open(generatedSecret)
  const { client } = await startSandbox('--webhook', receiver.url)
  expect(readFileSync(secretFile, 'utf8').trim()).toBe(generatedSecret)
  const id = await createHeldPayout(client)
  await expect.poll(() => receiver.about(id).map(({ verified }) => verified)).toEqual([true])
})

test('without an endpoint there are events but no deliveries, and nothing can be sent again', async () => {
  const { client } = await startSandbox()
  const id = await createHeldPayout(client)
  const { data: events } = await client.control(`events?object_id=${id}`)
  expect(events.at(-1)).toMatchObject({ type: 'payout.event.v1' })
  expect(await client.control('webhooks')).toMatchObject({
    configured: false,
    deliveries: { pending: 0 },
  })
  const refusedResponse = await client.controlRaw('webhooks/recover', {
    since: '2030-01-01T00:00:00Z',
  })
  expect([refusedResponse.status, await refusedResponse.json()]).toEqual([
    409,
    { error: expect.stringContaining('--webhook') },
  ])
})
