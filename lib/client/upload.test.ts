// @vitest-environment happy-dom
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallError } from './call-error'
import { uploadProofFile } from './upload'

type ReceivedRequest = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

const receivedRequests: ReceivedRequest[] = []
let server: Server
beforeAll(async () => {
  server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (part: Buffer) => chunks.push(part))
    incoming.on('end', () => {
      receivedRequests.push({
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('latin1'),
      })
      const shouldRefuse = incoming.headers['idempotency-key'] === 'pdk_refuse'
      const responseBody = shouldRefuse
        ? { error: { code: 'too_large', detail: 'the file is over 10 MiB' } }
        : { meta: { request_id: 'r' }, data: { id: 'x' } }
      response
        .writeHead(shouldRefuse ? 413 : 201, { 'content-type': 'application/json' })
        .end(JSON.stringify(responseBody))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const accountId = `acct_${id}`
const authorizationDetails = {
  authorized_by: 'Zoë Örn',
  authorized_on: '2026-03-31',
  method: 'internet',
  note: 'a\nb & c',
} as const
const createFile = () => new File(['%PDF-1.7 proof'], 'proof.pdf', { type: 'application/pdf' })
const uploadFile = (idempotencyKey: string, signal?: AbortSignal) =>
  uploadProofFile('payouts.authorize', { id }, createFile(), {
    environment: 'sandbox',
    account: accountId,
    idempotencyKey,
    correlationId: 'c1',
    signal,
    proof: authorizationDetails,
  })

test('sends one part named File under the key', async () => {
  const uploadAnswer = await uploadFile('pdk_good')
  expect(uploadAnswer.data).toEqual({ id: 'x' })
  const [request] = receivedRequests.slice(-1)
  expect(request).toMatchObject({
    method: 'POST',
    url: `/api/sandbox/v1/payouts/${id}/authorization?account=${accountId}`,
  })
  expect(request?.headers).toMatchObject({ 'idempotency-key': 'pdk_good', 'correlation-id': 'c1' })
  expect(Object.fromEntries(new URLSearchParams(String(request?.headers['action-proof'])))).toEqual(
    authorizationDetails,
  )
  expect(request?.body).toMatch(/name="File"; filename="proof.pdf"[\s\S]*%PDF-1.7 proof/)
  expect(request?.body.match(/content-disposition/gi)).toHaveLength(1)
})

test('a refusal is thrown with the API’s message', async () => {
  await expect(uploadFile('pdk_refuse')).rejects.toMatchObject({
    code: 'too_large',
    message: 'the file is over 10 MiB',
  })
})

test('an abort before anything was sent throws not_sent', async () => {
  const requestCountBefore = receivedRequests.length
  await expect(uploadFile('pdk_never', AbortSignal.abort())).rejects.toMatchObject({
    code: 'not_sent',
  })
  await expect(uploadFile('pdk_never', AbortSignal.abort())).rejects.toBeInstanceOf(CallError)
  expect(receivedRequests).toHaveLength(requestCountBefore)
})
