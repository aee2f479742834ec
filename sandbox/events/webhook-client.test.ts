import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'
import { WebhookClient } from './webhook-sender'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const message = {
  seq: 1,
  objectId: 'o',
  webhookId: 'msg_1',
  payload: '{"data":{"id":"o","name":"Zoë \u202e"}}',
}
let receiver: WebhookReceiver
let webhookClient: WebhookClient

beforeAll(async () => {
  receiver = await WebhookReceiver.open(secret)
  webhookClient = new WebhookClient({ url: receiver.url, secret }, 300)
})

afterAll(async () => {
  await webhookClient.close()
  await receiver.close()
})

test('the unchanged bytes arrive signed and with the ID', async () => {
  receiver.reply = 200
  expect(await webhookClient.post(message)).toMatchObject({ status: 200, error: null })
  expect(receiver.received.at(-1)).toMatchObject({
    id: 'msg_1',
    body: message.payload,
    verified: true,
  })
  expect(receiver.received.at(-1)?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
  })
})

test('a signature with another secret is not valid', async () => {
  const wrongSecretClient = new WebhookClient({
    url: receiver.url,
    secret: `whsec_${Buffer.alloc(24, 8).toString('base64')}`,
  })
  await wrongSecretClient.post(message)
  await wrongSecretClient.close()
  expect(receiver.received.at(-1)?.verified).toBe(false)
})

test.each([
  [302, { status: 302, error: null }],
  [503, { status: 503, error: null }],
  ['cut', { status: null, error: 'connection_cut' }],
  ['hang', { status: null, error: 'timeout' }],
] as const)('a receiver that responds with %s gets one request', async (reply, outcome) => {
  receiver.reply = reply
  const receivedCountBefore = receiver.received.length
  expect(await webhookClient.post(message)).toMatchObject({ ...outcome, ms: expect.any(Number) })
  // The client does not follow redirects and does not retry. Only the delivery schedule retries.
  expect(receiver.received).toHaveLength(receivedCountBefore + 1)
})

test('a closed port is a refused connection', async () => {
  const closedReceiver = await WebhookReceiver.open(secret)
  await closedReceiver.close()
  const unreachableClient = new WebhookClient({ url: closedReceiver.url, secret })
  expect(await unreachableClient.post(message)).toMatchObject({
    status: null,
    error: 'connection_refused',
  })
  await unreachableClient.close()
})

test('closing aborts pending requests', async () => {
  const closedClient = new WebhookClient({ url: receiver.url, secret })
  receiver.reply = 'hang'
  const receivedCountBeforePost = receiver.received.length
  const pendingOutcome = closedClient.post(message)
  await expect.poll(() => receiver.received.length).toBe(receivedCountBeforePost + 1)
  await closedClient.close()
  expect(await pendingOutcome).toMatchObject({ status: null })
})
